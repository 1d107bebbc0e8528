"""Word lists: function words, everyday words that carry little, and the verbs that notes begin with."""

STOP = frozenset(
    """
le la les des du un une et est que qui dans sur avec au aux ce cette ces je tu nous vous il elle ils elles mon ton ses
leur pas ne plus mais ou où donc alors suis es sont être avoir fait moi toi
el los las una y o que en del por para como su sus se lo no si mi tu es son está estoy pero más muy al te yo
der das den dem des ein eine einen einem einer und oder ist sind ich du er sie es wir ihr mich dir mit von zu im auf
für nicht auch wie dass wenn bei nach aus über noch nur kann wird haben
di il che per non uno sono gli della delle nel nella e è ho ha mio tuo
um uma não os as do da dos das em com eu você ele ela foi ser meu seu
het een en van ik je hij zij wij zijn niet voor met dat deze maar ook naar
a an the this that these those some any each every either neither both such same own other another i me my mine
myself we us our ours you your yours he him his she her hers it its they them their theirs am is are was were be
been being do does did doing done have has had having will would shall should can could may might must i'm i've i'd
i'll it's that's there's we're we've don't doesn't didn't can't couldn't won't wouldn't isn't aren't wasn't haven't
hasn't im ive id ill dont doesnt didnt cant wont isnt you're you've you'd you'll they're they've let's lets he's
she's what's and or but nor so if then else than because since although though while when where who whom whose which
what why how of in on at to for with from by as into onto over under about above below between through during before
after against within without upon among toward towards via per up down out off away again not no yes too also very
just only even still here tother here now ever never always often once all most more less few many much several lot
lots bit
""".split()
)

COMMON = frozenset(
    """
able absolutely access achieve actually add additional advance advice affect afraid ahead allow almost alone along
already alright alternative amazing amount answer anymore anyone anything anyway apart appreciate approach
appropriate area around article aside ask asked asking aspect aspects available avoid aware awesome back bad base
based basic basics basically beautiful become begin behind believe benefit benefits best better beyond big bring
build busy call called care carefully case cause certain certainly challenge challenging chance change check choice
choose clear clearly close come comes coming common complete completely concept concern concerned concerns consider
considering consistent contact content context continue cool correct couple course create creating crucial current
currently day days deal decide decided deep definitely depend depending describe detail detailed details develop
difference different difficult direct discuss discussed discussing double due earlier early easier easily easy
effect effective effort efforts else encourage end engaging enjoy enjoyed enjoying enough ensure entire especially
essential etc eventually everyone everything exactly example examples excellent excited exciting expect experience
experienced explain explore exploring extra face fact factor factors fairly familiar fantastic far fascinating
favorite feature features feedback feel feeling feels felt figure fill final finally find finding fine first fit
focus follow following forget form forward found free fresh full fun further future gave general generally get gets
getting give given gives giving glad go goal goals goes going gone good got great guess guide guys habit hand handle
happen happened happy hard hear heard hello help helped helpful helping helps hey hi high highly hope hoping huge
idea ideas imagine impact important improve include included including increase incredible individual information
input inspired instead interest interested interesting involve involved issue issues item items itself job join keep
keeping kept key kind kinds knew know knowing known large last late lately later least leave left let level life
light like liked likely limit line link list little live local long longer look looked looking looks love loved
lovely low made main mainly make makes making manage matter maybe mean means meant mention mentioned method methods
middle mind minor miss missing moment mostly move multiple name near nearly necessary need needed needs new next
nice normal note nothing notice noticed number obviously offer offers okay old ones online open opportunity option
options order organize original others otherwise outside overall part particular particularly past people perfect
perhaps period person personal personally perspective piece place places plan planned planning plans plenty plus
point points popular position positive possible possibly potential potentially practical practice prefer prepare
pretty previous previously probably problem problems process properly provide provided purpose put question
questions quick quickly quite range rather reach read ready real realize realized really reason reasons receive
recent recently recommend recommendation recommendations recommended reduce regarding regular regularly related
relevant remember remind remove replace require research resource resources respond response rest result results
right role room run said save saw say saying search second see seeing seem seems seen self sense sent series serious
seriously set sets setting share shared short show side sign significant similar simple simply single site situation
size small soft solution somehow someone something sometimes somewhat somewhere soon sort sound sounds source space
special specific specifically spend spent staff start started starting step steps stick stop story strategies
strategy strong stuff style suggest suggested suggestion suggestions super support sure surprised system take taken
takes taking talk talking task team tell terms text thank thanks thing things think thinking thought thoughts time
times tip tips title today together told tonight took top topic topics total totally touch track tried true truly
try trying turn type types understand understanding unique unless until update use used useful user uses using usual
usually value various version view want wanted wants way ways week weeks welcome well went whatever whether whole
wide will willing wish wonderful wondering word words work worked working works world worried worry worth write
wrong yeah year years yesterday yet yourself
""".split()
)

PRESENT = {
    "have": "has", "do": "does", "go": "goes", "am": "is", "love": "loves", "like": "likes", "prefer": "prefers",
    "need": "needs", "want": "wants", "use": "uses", "work": "works", "live": "lives", "play": "plays", "own": "owns",
    "enjoy": "enjoys", "know": "knows", "think": "thinks", "feel": "feels", "hate": "hates", "plan": "plans",
"try": "tries",
    "take": "takes", "get": "gets", "make": "makes", "keep": "keeps", "spend": "spends", "pay": "pays", "drive":
"drives",
    "run": "runs", "start": "starts", "attend": "attends", "study": "studies", "teach": "teaches", "tend": "tends",
    "usually": "usually", "watch": "watches", "listen": "listens", "collect": "collects", "remember": "remembers",
    "follow": "follows", "wear": "wears", "see": "sees", "believe": "believes", "wake": "wakes", "sleep": "sleeps",
    "come": "comes", "eat": "eats", "drink": "drinks", "cook": "cooks", "bake": "bakes", "grow": "grows", "buy": "buys",
    "visit": "visits", "travel": "travels", "speak": "speaks", "train": "trains", "bring": "brings", "find": "finds",
    "struggle": "struggles", "hope": "hopes", "wish": "wishes", "volunteer": "volunteers", "practice": "practices",
    "write": "writes", "sell": "sells", "manage": "manages", "lead": "leads", "earn": "earns", "save": "saves",
    "belong": "belongs", "walk": "walks", "ride": "rides", "meet": "meets", "rent": "rents", "share": "shares",
    "suffer": "suffers", "lack": "lacks", "miss": "misses", "understand": "understands", "consider": "considers",
}  # fmt: skip

EVENTS = frozenset(
    """
bought purchased got received acquired ordered sold gave donated spent paid earned raised saved won lost attended
visited joined started began finished completed watched read baked cooked made built fixed repaired replaced
upgraded installed assembled planted adopted moved graduated married met volunteered participated ran hiked climbed
traveled flew drove booked scheduled signed enrolled learned attended hosted organized celebrated harvested caught
took returned cancelled canceled switched set tried invested inherited hired launched published submitted presented
interviewed accepted booked stayed live lives work works own owns have has collect prefer prefers allergic favorite
named called born ago yesterday today tomorrow weekly monthly daily every weekend anniversary birthday wedding
appointment deadline due since monday tuesday wednesday thursday friday saturday sunday january february march april
june july august september october november december mondays tuesdays wednesdays thursdays fridays saturdays sundays
one two three four five six seven eight nine ten eleven twelve dozen hundred half first second third
""".split()
)

UNITS = frozenset(
    """
second seconds minute minutes hour hours night nights morning mornings afternoon evening evenings month months
spring summer autumn winter weekend weekends mile miles km kilometers pound pounds lbs kg inch inches feet gallon
gallons tablespoon teaspoon cup cups dollar dollars percent pages chapter chapters dozen dozens pair pairs pack
packs batch bunch pieces half home house city town mr mrs ms dr answer
""".split()
)
"""Words that measure, count or place: a topic is never named by one alone."""
