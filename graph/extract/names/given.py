"""Given names that are no other common word: they tell a person where the statistical model sees a company or a place."""

GIVEN_NAMES = frozenset(
    """
    aaron abby abdul abigail adam aditya adrian ahmed aisha alan alberto alejandro alex alexander alexandra alfred alice
    alicia alina aliyah allison amanda amelia amina amir amit amy ana andre andrea andreas andrew andrzej angela anil anita
    anja ann anna anne annika anthony antonio anya arjun arthur asha audrey barbara beatriz ben benjamin bernard bianca bob
    brandon brenda brian bruno bryan caleb camila camille carl carla carlos carmen carol caroline catherine cecilia charles
    charlie charlotte chen chloe chris christian christina christine christopher claire clara claudia colin connor cristina
    cynthia daniel daniela danielle david deborah deepak denise dennis derek diana diego dimitri dmitri dominic donald donna
    dorothy dylan eduardo edward eleanor elena eli elias elizabeth ella ellen emily emma eric erik erin ethan eva evan
    evelyn fatima felix fernando fiona francesca francisco frederick gabriel gabriela gareth gary george gerald giovanni
    giulia gloria gordon greg gregory guido gustavo hannah hans harold harriet harry hassan heather helen helena henrik
    henry hiroshi hugo ian ibrahim igor ingrid irene isaac isabel isabella ivan ivy jack jacob jake james jamie jane janet
    jason javier jean jeff jeffrey jennifer jenny jeremy jerome jessica jim joan joanna joe joel johan johanna john jolene
    jonas jonathan jose joseph joshua juan judith judy julia julian julie kai karen karim karl kate katherine kathleen katie
    keith kelly kenji kenneth kevin khalid kim kofi kumar kyle lars laura lauren layla lea leila lena leo leon leonard liam
    lily linda lisa liz louis louise lucas lucia lucy luis luke maciej maggie mahmoud manuel marco margaret maria marie
    marina mario marta martha martin mary mateo matt matthew maya megan mei melanie melissa michael michelle miguel mike
    mikhail mina miriam mohamed mohammed molly monica muhammad nadia nancy naomi natalia natalie natasha nathan neha neil
    nicholas nick nicolas nicole nina noah nora olga oliver olivia omar oscar pablo pamela patricia patrick paul paula pavel
    pedro peter philip pierre piotr priya rachel rafael rahul raj ramon raphael raquel ravi raymond rebecca renata ricardo
    richard robert roberto robin roger roland ronald rosa ruth ryan sabrina sally sam samantha samuel sandra sanjay sara
    sarah scott sean sebastian sergei sergio shannon sharon shreya silvia simon sofia sonia sophia sophie stefan stephanie
    stephen steve steven stuart sunita susan suzanne sven sylvia tamara tanya tatiana theodore theresa thomas tigran tim
    timothy tina tobias toby todd tom tomas tony tracy tyler umar ursula valentina vanessa vera veronica victor victoria
    vijay vikram vincent vivian vladimir walter wei wendy william xavier yara yasmin yuki yusuf zachary zainab zara zoe
    """.split()
)


def is_given(name: str) -> bool:
    """Whether a name is one given name, or begins with one and goes on with one capital word."""
    words = name.split()
    return (
        bool(words)
        and len(words) <= 2
        and words[0].lower() in GIVEN_NAMES
        and all(w[:1].isupper() and w.isalpha() for w in words)
    )
