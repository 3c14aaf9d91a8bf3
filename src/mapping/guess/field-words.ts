function words(text: string): readonly string[] {
  return text.split(' ');
}

/** A column's name as the words here are written: without case, punctuation and accents. */
export function plainField(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[^a-z\d]/g, '');
}

/**
 * Column names that probably mean a field of the account payload (section 2.3), by the part that has it: English, German, French,
 * Spanish, Italian, Portuguese, Dutch and Polish.
 */
export const fieldWords = {
  account: {
    transfer_balance: words(
      'saldo kontostand balance acctbal accountbalance transferbalance solde saldokonta',
    ),
  },
  billing_address: {
    street_address: [
      ...words('strasse street streetaddress streetname strassenname address address1 addressline1'),
      ...words('adresse billingaddress mailingaddress customeraddress serviceaddress supplyaddress'),
      ...words('rue voie nomvoie libellevoie adresse1 calle direccion domicilio indirizzo rua endereco'),
      ...words('straat straatnaam ulica'),
    ],
    locality: [
      ...words(
        'ort stadt city town posttown towncity suburb locality cityname townname ortname ortsname stadtname',
      ),
      ...words(
        'wohnort ville nomville commune nomcommune localite ciudad localidad municipio poblacion citta',
      ),
      ...words('comune localita cidade localidade plaats woonplaats miasto miejscowosc'),
    ],
    administrative_area: [
      ...words('bundesland state region county province district stateprovincename statename provincename'),
      ...words('regionname departement provincia provincie wojewodztwo'),
    ],
    postal_code: [
      ...words('plz postleitzahl zip zipcode postcode postalcode cp codepostal cdpostal codigopostal'),
      ...words('codicepostale cep kodpocztowy'),
    ],
    country: [
      ...words('land laendercode countrycode countryiso landiso country ctry iso countryname landname'),
      ...words(
        'countryregionname nationname lkz landkz laenderkennzeichen pays codepays pais codigopais paese',
      ),
      ...words('nazione codicepaese kodkraju landcode'),
    ],
  },
  customers: {
    given_name: [
      ...words('vorname firstname givenname forename prenom nombre nome voornaam imie'),
      ...words('nomeproprio primeironome primernombre'),
    ],
    family_name: [
      ...words('nachname familienname name lastname surname familyname nom nomfamille nomdefamille apellido'),
      ...words('apellidos cognome sobrenome apelido ultimonome achternaam nazwisko'),
    ],
    email: [
      ...words('email mail emailaddress emailadresse courriel adressemail adressecourriel correo'),
      ...words('correoelectronico emailadres'),
    ],
    landline: [
      ...words('telefon telefonnummer phone phonenumber telephone tel telhome homephone landline'),
      ...words('telefono telefone telefoon telefoonnummer numtelephone numtel'),
    ],
  },
};

/** Columns with a whole name, where none has a part of it. */
export const wholeNames = words('contactname fullname customername ansprechpartner');

/** The names of companies, beside those of people. */
export const companyNames = words(
  'firma firmenname company companyname organisation organization organisationname businessname raisonsociale razonsocial ragionesociale bedrijf bedrijfsnaam empresa azienda denominacaosocial denominacionsocial',
);

/** Names of anything, which are those of companies where the columns of people are empty. */
export const designations = words('denominacao denominacion denominazione');

/** Mobile phones, where no column has another one. */
export const mobileNames = words(
  'mobile mobil mobilephone mobilenummer handy handynummer portable telemovel celular movil cellulare gsm komorka',
);

/** Names of house numbers, by where they are written. */
export const houseBehind = words('hausnr hausnummer hnr hausno huisnummer huisnr civico numerocivico nrdomu');
export const houseBefore = words(
  'houseno housenumber housenr streetno streetnumber streetnr numvoie numerovoie numerorue',
);

/** Names of house numbers beside a street with one of these names, which they precede or follow. */
export const numberNames = words('numero num no nr numer');
export const streetsBehindNumber = words('rue voie nomvoie libellevoie');
export const streetsBeforeNumber = words('calle indirizzo rua straat straatnaam ulica strasse');

/** The fields that a catalogue of this name holds, in a column called name or code. */
export const catalogueFields: readonly (readonly [
  stem: RegExp,
  field: string,
  columns: readonly string[],
])[] = [
  [
    /(?:city|citi|town|ort|stadt|gemeind|localit|ville|commune|ciudad|municip|comm?un|cidade|plaats)/,
    'locality',
    words('name bezeichnung label cityname nom libelle nombre nome naam nazwa'),
  ],
  [
    /(?:country|land|nation|pays|pais|paes)/,
    'country',
    words('iso iso2 alpha2 code countrycode isocode name bezeichnung nom nombre nome naam'),
  ],
  [
    /(?:state|provinc|region|county|bundesl|departement)/,
    'administrative_area',
    words('name bezeichnung label nom nombre nome naam'),
  ],
];
