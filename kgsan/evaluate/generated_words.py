"""The words that made-up notes and mails are made of: names of nobody, and what looks like names and is none."""

from __future__ import annotations

FIRST_NAMES = """
    Abena Adele Agnes Aisha Alba Alden Amara Anders Anneke Anton Arlo Astrid Aurelio Beatriz Bela Benedikt Birgit Boris
    Branka Bruno Calla Camille Carmen Cedric Chiara Cillian Clemence Cormac Dagny Damian Daria Delphine Desmond Dilara
    Dmitri Edda Edith Elias Ellen Elodie Emeka Emil Enzo Esther Eudora Fabian Farah Felix Fiona Freya Gareth Gemma
    Gideon Greta Gustav Hanna Harriet Hector Helga Henrik Hugo Ida Ignacio Imani Ines Ingrid Irma Isolde Ivo Jasper
    Joachim Jolanta Josef Juno Kamal Karin Keiko Kenji Kofi Lars Leila Leopold Lidia Linus Lorena Ludwig Magda Malik
    Marit Marlene Matteo Mei Milos Mirela Nadia Naomi Nerys Nils Noor Odette Olga Oskar Otto Paloma Petra Philippa Pilar
    Quentin Radek Rafael Ramona Renata Rhys Rosalind Rufus Sabine Samira Sanjay Selma Silas Solveig Stefan Sunita Sven
    Tamsin Tariq Thea Tobias Tomasz Ulrike Uma Vera Viggo Wanda Werner Ximena Yara Yusuf Zelda Zoltan
""".split()
NICKNAMES = "Bea Ben Bo Cam Dee Eddie Fi Gus Jo Kat Lenny Lou Max Mo Nan Ozzie Pip Raf Sam Sol Tam Teddy Vee Zee".split()
LAST_NAMES = """
    Abara Adeyemi Almqvist Anand Bakker Baptiste Barros Bergstrom Bianchi Bosch Castellano Cho Dalgaard Delacroix Demir
    Dvorak Eklund Fairweather Ferreira Finch Fontaine Gallo Gantz Haddad Halloran Hosseini Ibarra Ito Jansen Joshi
    Kaminski Kaur Keane Kowal Lindqvist Lund Madaki Marchetti Marsh McAllister McRae Mehta Moreau Nakamura Navarro
    Nguyen Novak O'Dell O'Rourke Okafor Okonkwo Olsen Osei Pajari Pereira Petrov Pham Quispe Radford Ramaswamy Rasmussen
    Reyes Rossi Saarinen Salgado Santos Sato Schroder Silva Soto Stavros Szabo Tanaka Thorne Toth Tran Ueda Vance Varga
    Vega Villanueva Wachter Weiss Wrede Yilmaz Zielinski Zubiri Van-Dijk De-Souza
""".split()
BEGINNINGS = """
    Ash Black Bram Cold Dun Elder Fair Glen Hart Hawk Kest Lang Mar Nor Oak Pem Raven Shel Strat Thorn Wal Wind
""".split()
ENDINGS = """
    bourne brook bury by combe dale don field ford grave ham hurst ley man mere more ridge stone ton well wick wood
    worth
""".split()
SYLLABLES = """
    a be da do fi ga ha i ja ka ko la li lo ma mi mo na ne no o ra ri ro sa se sha ta ti to u va vi wa ya yo za
""".split()
#: First names and surnames that are words, months, flowers, cities or drugs as well.
WORD_FIRST_NAMES = """
    Rose Will Grant Mark Hope Faith Grace Bill May June April Dawn Frank Chase Drew Art Rich Pat Sue Gene Miles Joy Ruby
    Violet Iris Charlotte Florence Sydney Austin Madison Victoria Chelsea Houston Jackson Lincoln Savannah Yasmin
    Allegra
""".split()
WORD_LAST_NAMES = """
    Price Banks Young Long Short Cook Baker Day Rice Bush Wood Brown Green White Little Best Case Lane Bell Field Sharp
    Swift Frost Winters Summers Love Church Bishop Marshall Sage Parish Wells Waters Pond Stone Fox Wolf Crane Parkinson
    Addison Graves Foley
""".split()
TITLES = "Dr. Dr Mr. Mrs. Ms. Prof. Nurse".split()

# fmt: off
PLACES = (
    "Charlotte", "Florence", "Sydney", "Austin", "Madison", "Victoria", "Chelsea", "Houston", "Jackson", "Lincoln",
    "Savannah", "Dublin", "Porto", "Bergen", "Leeds", "Tampere", "Trieste", "Galway", "Utrecht", "Cork", "Santa Rosa",
    "San Marino", "St. Agnes", "Port Elgin", "Lake Marion", "Mount Vernon", "Fort Warren", "Martinsville",
)
# fmt: on
DRUGS = """
    Yasmin Allegra Mirena Aubagio Januvia Humira Celexa Depakote Alesse Lorcet Norvasc Ella Lucentis metformin
    lisinopril warfarin heparin albuterol prednisone ibuprofen Tylenol Zofran amoxicillin Keppra Lasix Coumadin Ativan
    Benadryl
""".split()
# fmt: off
DISEASES = (
    "Parkinson's disease", "Crohn's disease", "Addison's disease", "Hodgkin lymphoma", "Graves disease", "Bell's palsy",
    "Down syndrome", "Marfan syndrome", "Raynaud phenomenon", "Barrett's esophagus", "type 2 diabetes", "asthma",
    "chronic migraine", "atrial fibrillation", "pneumonia", "osteoarthritis", "Cushing syndrome", "Sjogren syndrome",
    "hypertension", "COPD",
)
DEVICES = (
    "Foley catheter", "Hickman line", "Penrose drain", "Swan-Ganz catheter", "Holter monitor", "Jackson-Pratt drain",
    "Kirschner wire", "Glasgow Coma Scale", "Wells score", "Braden scale", "Apgar", "Ranson criteria", "Doppler", "MRI",
    "chest x-ray", "Babinski sign", "Murphy sign", "Romberg test",
)
PRODUCTS = (
    "Falcon", "Aurora", "Apollo", "Mercury", "Orchid", "Sage", "Jasper", "Phoenix", "Marlin", "Project Iris",
    "Project Ruby", "Olive", "Juniper", "Atlas", "Titan", "Vega", "Hudson",
)
SYMPTOMS = (
    "chest pain", "shortness of breath", "nausea", "a dull headache", "low back pain", "fatigue",
    "a rash on the left arm", "dizziness", "swelling of the right ankle", "blurred vision", "palpitations",
    "a persistent cough", "night sweats", "loss of appetite",
)
TOPICS = (
    "the budget", "the contract", "the audit", "the quarterly report", "the invoice", "the grant application",
    "the bill of lading", "the pipeline schedule", "the risk memo", "the price list", "the mark-to-market figures",
    "the lease", "the server migration", "the travel plan", "the board slides",
)
# fmt: on
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday".split()
