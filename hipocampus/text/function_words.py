"""The most frequent function words of each language that has a stemmer and is written in Latin letters."""

FUNCTION_WORDS = {
    "en": """
        a an the this that these those some any each every either neither both such same own i me my mine myself we us
        our ours ourselves you your yours yourself he him his himself she her hers herself it its itself they them
        their theirs themselves am is are was were be been being do does did doing done have has had having will would
        shall should can could may might must need i'm i've i'd i'll it's that's there's we're we've don't doesn't
        didn't can't couldn't won't wouldn't isn't aren't wasn't weren't haven't hasn't you're you've you'd you'll
        they're let's and or but nor so if then else than because since although though while when where who whom
        whose which what why how of in on at to for with from by as into onto about above below between through during
        before after against within without upon among toward towards via per over under up down out off away again
        further not no too also very just only even still here there now ever never once all most other more less few
        many much
        """,
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren bin bist sein seine
        ich du er sie es wir ihr mich dich mir dir uns euch ihm ihn ihnen mein meine dein unser mit von vom zu zum zur
        im in am an auf aus für nicht kein keine auch wie was wer wo wann warum dass ob wenn weil bei beim nach über
        unter vor durch gegen ohne um bis als noch nur schon so sehr man kann können muss wird werden wurde wurden hat
        haben hatte habe diese dieser dieses dann hier doch mehr ja nein wieder zwischen seit
        """,
    "fr": """
        le la les l'on de du des un une et ou est sont était être ai as a avons ont avoir été que qui quoi dont où
        dans sur sous avec sans pour par au aux en ce cet cette ces je tu il elle on nous vous ils elles me te se mon
        ma mes ton ta tes son sa ses notre nos votre vos leur leurs ne pas plus mais donc car si comme quand comment
        pourquoi très aussi même tout tous toute toutes fait faire lui y c'est d'un d'une n'est qu'il qu'on j'ai entre
        """,
    "es": """
        el la los las lo un una unos unas de del y e o u que en a al por para con sin sobre como su sus se le les me
        te nos mi mis tu tus es son era fue ser está están estoy estar hay ha han he haber no sí si pero más muy ya
        también cuando donde qué quién cómo porque entre hasta desde este esta estos estas ese esa eso esto yo él ella
        nosotros ellos todo todos todas cada hacer
        """,
    "it": """
        il lo la i gli le un uno una di del dello della dei degli delle e ed o che chi in nel nella nei a al alla ai
        alle da dal dalla con su sul sulla per tra fra non è sono era erano essere ho hai ha abbiamo hanno avere stato
        mi ti si ci vi io tu lui lei noi voi loro mio mia tuo suo sua questo questa questi quello quella come quando
        dove perché anche più ma se c'è molto già ancora cosa
        """,
    "pt": """
        o a os as um uma uns umas de do da dos das e ou que em no na nos nas ao à aos por pelo pela para com sem sobre
        como seu sua seus suas se me te lhe meu minha é são era foi ser está estão estar há tem têm ter não sim mas
        mais muito já também quando onde quem porque entre até desde este esta isso isto esse essa eu você ele ela nós
        eles elas tudo todos cada fazer foram
        """,
    "nl": """
        de het een en of maar is zijn was waren ben heeft hebben had ik je jij hij zij ze wij we jullie mij me mijn
        jouw haar hem ons onze hun van in op aan bij met voor door naar uit over onder om tot te niet geen wel ook nog
        al als dan dat die dit deze er hier daar wat wie waar wanneer hoe waarom omdat kan kunnen moet moeten wordt
        worden werd meer zeer zo veel tussen
        """,
    "sv": """
        och eller men att det den de en ett är var varit vara har hade ha jag du han hon vi ni mig dig oss min mitt
        din som på av med till för från om i inte ej också bara så när där här vad vem hur varför kan ska skulle måste
        blir blev efter under över mellan utan än mycket mer alla detta denna dessa sig sin sina
        """,
    "da": """
        og eller men at det den de en et er var været være har havde jeg du han hun vi mig dig os min mit din som på
        af med til for fra om i ikke også kun så når der her hvad hvem hvordan hvorfor kan skal skulle må blev bliver
        efter under over mellem uden end meget mere alle dette denne disse sig sin nogle nu jo
        """,
    "no": """
        og eller men at det den de en et er var vært være har hadde jeg du han hun vi meg deg oss min mitt din som på
        av med til for fra om i ikke også bare så når der her hva hvem hvordan hvorfor kan skal skulle må ble blir
        etter under over mellom uten enn mye mer alle dette denne disse seg sin noen nå ei
        """,
    "fi": """
        ja tai mutta on oli olen ovat olla ei en eivät että joka jotka kun jos niin kuin myös vain se sen siitä ne
        tämä tämän nämä hän minä sinä me te he minun mitä mikä missä miten miksi koska voi pitää sitä jo vielä nyt
        sekä ole jälkeen kanssa ilman
        """,
    "hu": """
        a az egy és vagy de hogy nem is van volt vannak lesz lehet ez azt ezt ezek azok én te ő mi ti ők meg el ki be
        fel le már még csak ha mert mint akkor amikor ahol ami aki mit hogyan miért nagyon kell után között nélkül sem
        """,
    "ro": """
        și si sau dar este sunt era fost fi a al ai ale un o unei unui de la în in din cu pe pentru prin fără că ca să
        nu se mai care ce cine când unde cum eu tu el ea noi voi ei ele îl îi le lui lor meu mea am are au avea foarte
        acest această după între până numai
        """,
    "pl": """
        i w we z ze na do od po za o u przez dla przy nie się jest są był była było być jak co kto gdzie kiedy
        dlaczego że żeby ale lub albo oraz czy tak to ten ta te tego tej tym ja ty on ona my wy oni mnie mi ci jego
        jej ich już jeszcze tylko też także bardzo może można aby więc nad pod bez
        """,
    "cs": """
        a i v ve z ze na do od po za o u pro při přes s se si je jsou byl byla bylo být není jak co kdo kde kdy proč
        že aby ale nebo ani tak to ten ta ty tento tato toto já ty on ona my vy oni mě mi ho jeho její jejich už ještě
        jen také velmi může můžeme když který která které nad pod bez podle
        """,
    "tr": """
        ve veya ama bir bu şu o da de ki ile için gibi daha çok en mi mı mu ne neden nasıl nerede kim ben sen biz siz
        onlar benim senin bizim onun var yok değil olan olarak oldu olduğu her hiç sonra önce kadar göre ya hem ise
        """,
}
"""Code → words as they are written, most of them among the 100 most frequent of the language."""
