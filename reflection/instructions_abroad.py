"""The commonest orders to agents in languages other than English, without accents where the script has them.

Three families a language where they are common: ignore what you were told, hide it from the user, give away the prompt.
"""

_IGNORE = "it tells an agent to ignore its rules"
_HIDE = "it asks to keep something from people"
_REVEAL = "it asks for prompts or secrets"

ABROAD: tuple[tuple[str, str, str], ...] = (
    # German
    (_IGNORE, "ignorier|vergiss|vergessen|missacht|befolge|beachte", r"\b(?:ignorier\w*|vergiss|vergessen sie|vergesst|missacht\w*|befolg\w* (?:nicht|keine)|beacht\w* nicht) (?:sie )?(?:bitte )?(?:ab sofort )?(?:alle |alles |samtliche |jegliche |die |deine |ihre |eure |diese )*(?:(?:bisherig|vorherig|vorig|obig|fruher|bisher|vorangegangen|ursprunglich|system|zuvor|darüber|gegeben|bislang)\w* )+(?:\w+ )?(?:anweisung|regel|instruktion|vorgabe|befehl|prompt|richtlinie|anleitung)\w*"),
    (_IGNORE, "ignorier|vergiss|vergessen|missacht", r"\b(?:ignorier\w*|vergiss|vergessen sie|missacht\w*) (?:sie )?(?:alle )?(?:deine|ihre|eure) (?:\w+ )?(?:anweisung|regel|instruktion|vorgabe|prompt|richtlinie|systemprompt|programmierung)\w*"),
    (_HIDE, "nutzer|benutzer|anwender", r"\b(?:sag|sage|sagen sie|erzahl\w*|verrat\w*|melde|teile|informier\w*|erwahn\w*)\b (?:es |das |dies |davon )?(?:dem |den |der |diese[nms]? )?(?:be)?(?:nutzer|anwender)\w*(?: \w+){0,3}? (?:nichts|nicht|kein)|\b(?:ohne|verschweig\w*|verheimlich\w*|erwahn\w*)(?: \w+){0,4} (?:be)?nutzer\w*(?: \w+){0,3} (?:nicht|davon|zu (?:sagen|erwahnen))"),
    (_REVEAL, "system", r"\b(?:gib|gebe|geben sie|zeig\w*|verrat\w*|nenne\w*|wiederhol\w*|druck\w*)\b(?: \w+){0,3}? (?:deine[nm]?|ihre[nm]?) (?:\w+ )?(?:system-?prompt|systemanweisung\w*|anweisungen|instruktionen)"),
    (_IGNORE, "anweisung|regel", r"\b(?:alle |samtliche |deine |ihre |die )+(?:\w+ )?(?:anweisung|regel|instruktion|vorgabe)\w* (?:bitte )?(?:zu )?(?:vergessen|ignorieren|missachten)\b(?=.{0,80}\b(?:ab jetzt|ab sofort|gehorch\w*|du |dein\w*|nur noch|mir)\b)"),
    (_IGNORE, "du bist", r"\bdu bist (?:jetzt|nun|ab (?:jetzt|sofort)) (?:\w+ ){0,3}?(?:assistent|agent|ki\b|modell|administrator|hacker|bot)"),
    (_IGNORE, "befolg|gehorch", r"\b(?:befolgst|gehorchst|folgst) du (?:ab jetzt |von nun an |nur |noch |ausschliesslich )*(?:noch )?(?:mir|mein\w*|den folgenden)"),
    # French
    (_IGNORE, "ignor|oubli|compte|respecte|suis|suivez|negligez", r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez|tient) pas compte d\w*|ne (?:suis|suivez|respecte|respectez) (?:pas|plus)|negligez) (?:donc )?(?:toutes |tous |tout )?(?:les |des |tes |vos |ces |tou[st]e?s? )*(?:instructions?|consignes?|regles?|directives?|ordres?)\b(?: \w+){0,2}? (?:precedent\w*|anterieur\w*|ci-dessus|initial\w*|donne\w*|recue?s?|du systeme|plus haut|jusqu)"),
    (_IGNORE, "compte", r"\bne (?:tiens|tenez) (?:plus|pas) compte (?:de tes|de vos|des) (?:\w+ )?(?:instructions?|consignes?|regles?|directives?)"),
    (_IGNORE, "tu es|vous etes", r"\b(?:tu es|vous etes) (?:desormais|maintenant|a present) (?:un |une )?(?:\w+ ){0,2}?(?:agent|assistant|ia\b|modele|hacker|administrateur|bot)"),
    (_IGNORE, "ignor|oubli", r"\b(?:ignore[zr]?|oublie[zr]?) (?:toutes )?(?:tes|vos) (?:instructions?|consignes?|regles?|directives?)\b"),
    (_HIDE, "utilisateur", r"\b(?:ne|n'en) (?:le |en |rien |lui )?(?:dis|dites|parle|parlez|mentionne|mentionnez|revele|revelez|informe|informez)\b(?: \w+){0,4}? (?:a |l'|avec |de )*l?'?utilisateur\w*"),
    (_REVEAL, "prompt|instructions|consignes", r"\b(?:revele|revelez|affiche|affichez|montre|montrez|donne|donnez|repete|repetez)(?:-moi)? (?:\w+ ){0,2}?(?:tes|vos|ton|votre) (?:\w+ )?(?:instructions|consignes|prompt|invite systeme)"),
    # Spanish, Portuguese, Italian
    (_IGNORE, "ignor|olvid|omite|caso omiso|descart|desatiend", r"\b(?:ignor[ae]n?|olvid[ae]n?|omit[ae]|haz caso omiso de|descart[ae]|desatiende|no sigas) (?:por completo )?(?:todas? |todo )?(?:de )?(?:las |los |tus |sus |estas )*(?:instruccion(?:es)?|reglas|indicaciones|ordenes|directrices|normas)\b(?: \w+){0,2}? (?:anterior\w*|previ[ao]s|de arriba|recibidas|iniciales|dadas|del sistema|precedentes)"),
    (_IGNORE, "ignor|olvid", r"\b(?:ignor[ae]|olvid[ae]) (?:todas )?tus (?:\w+ )?(?:instrucciones|reglas|indicaciones|directrices)\b"),
    (_IGNORE, "caso omiso|ignor|olvid|sigas", r"\b(?:haz caso omiso de|ignora|olvida) todo lo (?:anterior|previo|dicho)|\bno sigas (?:\w+ )?(?:reglas|instrucciones)\b"),
    (_HIDE, "usuario", r"\b(?:no|sin|nunca) (?:se )?(?:lo |le )?(?:digas|diga|cuentes|cuente|menciones|informes|reveles|avises|decir|decirle|informar|contar|cuentes|avisar)\w*(?: \w+){0,4}? (?:al|el|a los) usuarios?"),
    (_REVEAL, "prompt|instrucciones", r"\b(?:revela|muestra|muestrame|imprime|dime|repite)\b (?:\w+ ){0,2}?(?:tus|tu) (?:\w+ )?(?:instrucciones|prompt|indicaciones)"),
    (_IGNORE, "ignor|esque|desconsider", r"\b(?:ignore|ignora|esqueca|desconsidere)\b (?:todas )?(?:as |suas |tuas |quaisquer )*(?:instrucoes|regras|orientacoes|ordens|diretrizes)\b(?: \w+){0,2}? (?:anterior\w*|previas|acima|iniciais|do sistema|recebidas)|\b(?:ignore|esqueca|desconsidere) (?:todas )?(?:as )?suas (?:instrucoes|regras)"),
    (_IGNORE, "ignor|dimentic", r"\b(?:ignora(?:te)?|dimentica(?:te)?|non seguire)\b (?:tutte )?(?:le |tue |queste |vostre )*(?:istruzioni|regole|indicazioni|direttive)\b(?: \w+){0,2}? (?:precedent\w*|sopra|iniziali|ricevute|di sistema|anterior\w*)|\b(?:ignora|dimentica) (?:tutte )?le tue (?:istruzioni|regole)"),
    # Dutch, Polish, Turkish, Nordic
    (_IGNORE, "negeer|vergeet", r"\b(?:negeer|vergeet)\b (?:alle |de |je |jouw |uw |deze )*(?:(?:eerdere|vorige|voorgaande|bovenstaande|oorspronkelijke) )(?:instructies|regels|opdrachten|aanwijzingen|richtlijnen)|\b(?:negeer|vergeet) (?:al )?(?:je|jouw|uw) (?:instructies|regels)"),
    (_IGNORE, "ignoruj|zapomnij|pomin", r"\b(?:z?ignoruj(?:cie)?|zapomnij(?:cie)?(?: o)?|pomin)\b (?:wszystkie |wszystkich |swoje |o )*(?:poprzedni\w*|wczesniejsz\w*|powyzsz\w*|dotychczasow\w*) (?:\w+ )?(?:instrukcj\w*|polecen\w*|zasad\w*|wytyczn\w*)"),
    (_IGNORE, "talimat|kural", r"(?:onceki|yukaridaki)\b (?:tum |butun )?(?:talimat|kural|komut)\w* (?:yok say|gormezden gel|unut|goz ardi)"),
    (_IGNORE, "ignorer|glem", r"\b(?:ignorer|glem)\b (?:alle |all |alla )?(?:tidligere|forrige|tidigare|foregaende|ovenstaende) (?:instru\w+|regler|anvisninger|instruktioner)"),
    # Russian, Ukrainian
    (_IGNORE, "игнорир|ігноруй|забуд|не следуй|не обращай", r"(?:проигнорир\w*|игнорир\w*|ігноруй\w*|забудь(?:те)?|не следуй(?:те)?|не обращай(?:те)? внимания на) (?:про |о |обо )?(?:все[хм]? |всі |любые |свои |эти )*(?:предыдущ\w*|прежн\w*|попередн\w*|ранее|вышеуказанн\w*|прошл\w*|данные|системн\w*|ваши|твои|свои) (?:\w+ ){0,2}?(?:инструкц\w*|указан\w*|правил\w*|команд\w*|інструкц\w*|вказівк\w*)"),
    (_HIDE, "пользовател", r"не (?:говори|сообщай|рассказывай|упоминай|показывай)(?:те)?(?: \w+){0,3}? пользовател\w*"),
    # Chinese, Japanese, Korean
    (_IGNORE, "忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不要理会", r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不要理会|请忽略)(?:掉|你|您|的|所有|一切|全部|任何|之前|以前|先前|以上|上述|上面|前面|此前|系统|系統|原来|原有|给|給|收到|我|过|过的|,|，){1,8}(?:指令|指示|规则|規則|提示词|提示詞|提示|说明|說明|命令|要求|设定|設定|约束|内容)"),
    (_HIDE, "不要|别|不得|勿", r"(?:不要|别|不得|请勿|切勿)(?:把|将)?(?:这|此|它)?(?:件事|事|些|个|条)?(?:告诉|告訴|告知|通知|透露给|提示|让)(?:任何)?(?:用户|用戶|使用者|人类|别人)"),
    (_REVEAL, "提示|系统|系統", r"(?:输出|輸出|显示|顯示|打印|告诉我|告訴我|泄露|重复|重複|公开)(?:你|您)?的?(?:完整|全部|所有|初始)?的?(?:系统|系統)(?:提示词|提示詞|提示|指令|消息)"),
    (_REVEAL, "提示", r"(?:把|将|將)(?:你|您)的(?:系统|系統|初始|完整)(?:提示词|提示詞|提示|指令)[^。]{0,8}(?:告诉|告訴|给|給|发|輸出|输出)"),
    (_IGNORE, "無視|忘れ|従わ", r"(?:以前|これまで|前|上記|今まで|先ほど|以上|すべて|全て|元)の?(?:すべての|全ての|の)?(?:システム)?(?:指示|命令|ルール|プロンプト|規則|指令)(?:を|は|に)?(?:すべて|全て|全部|完全に)?(?:無視|忘れ|従わない|従うな)"),
    (_HIDE, "ユーザー", r"ユーザー(?:に|には)(?:は)?(?:この|その)?(?:こと|件|内容)?(?:を|は)?(?:言わない|伝えない|知らせない|教えない|話さない|言うな|伝えるな)"),
    (_IGNORE, "무시|잊", r"(?:이전|위|앞선|기존|지금까지|앞)의? ?(?:모든 |받은 )?(?:지시|명령|규칙|지침|프롬프트)(?:사항|들)?(?:을|를|은|는)? ?(?:모두 |전부 |완전히 )?(?:무시|잊)"),
    # Arabic, Hebrew, Hindi, Vietnamese, Greek
    (_IGNORE, "تجاهل|انس", r"(?:تجاهل|انس)(?:ي|وا|ى)? (?:جميع |كل |كافة )?(?:ال)?(?:تعليمات|اوامر|أوامر|قواعد|توجيهات) (?:ال)?(?:سابقة|سابقه|أعلاه|اعلاه)"),
    (_IGNORE, "התעלם", r"התעלם(?:י|ו)? מ?(?:כל )?(?:ה)?(?:הוראות|כללים|הנחיות) (?:ה)?(?:קודמות|קודמים)"),
    (_IGNORE, "निर्देश", r"(?:पिछले|पहले|पूर्व)(?: के)? (?:सभी )?निर्देशों (?:को|की) (?:अनदेखा|नजरअंदाज|नज़रअंदाज़|भूल|उपेक्षा)"),
    (_IGNORE, "bo qua|quen", r"\b(?:bo qua|quen)\b (?:tat ca |moi )?(?:cac )?(?:huong dan|chi dan|lenh|quy tac|chi thi) (?:truoc|o tren|phia tren)"),
    (_IGNORE, "αγνο|ignoe", r"αγνο\w+ (?:ολες |όλες )?(?:τις )?(?:προηγουμεν\w*|προηγούμεν\w*) (?:οδηγι\w*|οδηγί\w*|εντολ\w*|κανόν\w*)"),
)  # fmt: skip
