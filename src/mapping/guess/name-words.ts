/** Words for a customer or an account in the languages of old systems, at the beginning of a word. */
const accountWord =
  /^(?:v?kont[oe]|vkont|kd(?=nr|num)|account|acct|kund|customer|client|klien[tc]|klant|abon[an]|subscri|asiakas|odb[eě]rat|odbiorc|z[aá]kazn|ügyf[eé]l|fogyaszt|vev[oő]|vertragskont|abnehmer|debitor|consumer|cliente|utente|utenz|rekening|(?:compte|cuenta|conta)s?$|cont[oi]$)/i;
/** Words for what an account may be called where nothing has one of the others. */
const partyWord =
  /^(?:contract|vertr[aä]g|partner|member|mitglied|person|party|household|tenant|mieter|user)/i;
/** What an inflected account word may end with; more is another word, as in Kundenadressen. */
const inflection = /^[\p{L}]{0,4}$/u;
/** Short words for what an account has. */
const property = /^(?:name|typ|type|art|date|tel|mail|bal|city|zip|ort|stat|stand|note)$/i;
/** Accounts of another kind. */
const otherAccount =
  /(?:bank|sach|haupt|ledger|gl|sub|spaar|groot_?boek)_?(?:konto|konten|account|rekening)|compte_bancaire|cuenta_bancaria/i;
/** What is billed in one word, as in Lieferkonto and leveringsrekening. */
const billedAccount =
  /^(?:vertrags?|rechnungs?|kunden?|liefer|energie|levering|leverings|klant|klanten|verbruiks?|contract)(?:konto|konten|rekening|rekeningen)$/i;
/** Words of a table's name that say nothing of its content. */
const noise =
  /^(?:[a-z\d]|\d+|tbl|tab|table|dbo|crm|erp|sap|old|alt|exp|export|data|daten|list|liste|stamm?|master|main|base|all|dim|public|the)$/i;

const keyWord =
  /^(?:nr|no|num|numer|nummer|number|numero|id|ids|key|code|kod|uuid|guid|pk|fk|ref|cislo|číslo)$/i;
const keySuffix = /(?:_|\b|(?<=\p{L}))(?:nr|no|num|number|nummer|id|key)\.?$/iu;
/** Words that end as a key does, and name none. */
const notKeys = /^(?:paid|void|valid|invalid|grid|bid|aid|lid|mid|said|piano|info|memo|demo|iban|casino)$/i;

/** Names of amounts, quantities and times, which never refer to a row. */
const measure =
  /(?:amount|betrag|price|preis|total|sum(?:me)?$|balance|saldo|quantity|menge|qty|rate$|cost|kosten|fee|tax$|steuer|percent|prozent|discount|freight|milliseconds|bytes|length|duration|count$|anzahl|year$|jahr|month|monat|day$|tag$|date$|datum|time$|zeit|latitude|longitude|postal|postcode|plz|zip)/i;

/** The words of a name: CustomerId, customer_id and "Customer Id" have the same two. Lower case. */
export function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFC')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** A name without its spelling: two that are the same word for word have the same. */
export function plainName(name: string): string {
  return wordsOf(name).join('');
}

/** What a column's name is about without the words for a number: `customer` of customer_id, CustomerNo and Nr customer; '' of id. */
export function stemOf(column: string): string {
  const words = wordsOf(column).filter((word) => !keyWord.test(word));
  const last = words.at(-1);
  if (last === undefined) return '';
  if (words.length === 1 && words.length === wordsOf(column).length && !notKeys.test(last)) {
    const stem = last.replace(keySuffix, '');
    return singular(stem.length < 2 ? last : stem);
  }
  return [...words.slice(0, -1), singular(last)].join('');
}

/** What a table holds, in the singular: `customer` of dbo.customers, customers.csv and tblCustomer. */
export function tableStem(table: string): string {
  const words = tableWords(table);
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), singular(last)].join('');
}

/** The words of a table's name that say what it holds. */
function tableWords(table: string): readonly string[] {
  const words = wordsOf(table.replace(/\.[a-z]+(?:\.[a-z]+)?$/i, '')).filter((word) => !/^\d+$/.test(word));
  const telling = words.filter((word) => !noise.test(word));
  return telling.length === 0 ? words : telling;
}

/** Removes what the plural has in English and German; the same for both sides of a comparison is enough. */
function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[sxz]|ch|sh)es$/, '')
    .replace(/(?<=\p{L}{3})s$/u, '')
    .replace(/(?<=\p{L}{3})(?:en|n|e)$/u, '');
}

/** Whether a column is named as a number or a key is. */
export function isKeyName(column: string): boolean {
  const words = wordsOf(column);
  if (isMeasure(column) || isPostcode(words)) return false;
  return (
    words.some((word) => keyWord.test(word)) ||
    (words.length > 0 && !notKeys.test(words.at(-1) ?? '') && keySuffix.test(words.at(-1) ?? '')) ||
    isAccountName(column)
  );
}

/** Whether the words are those of a postcode, which ends as a key does and identifies no row. */
function isPostcode(own: readonly string[]): boolean {
  return /^(?:post|postal|zip)(?:code|nr|number)$/.test(own.slice(-2).join(''));
}

const words =
  /(?:name|nachname|vorname|street|strasse|straße|address|adresse|e?mail|phone|telefon|mobile|fax|title|text|description|beschreibung|bezeichnung|comment|kommentar|remark|bemerkung|notes?|body|url|password|rowguid)\d?$/i;

/** Whether a column is named as texts for people are, which are the same by chance or for other reasons. */
export function isText(column: string): boolean {
  const own = wordsOf(column);
  return !own.some((word) => keyWord.test(word)) && words.test(own.join(''));
}

/** Whether a column is named as an amount, a quantity or a time is. */
export function isMeasure(column: string): boolean {
  const words = wordsOf(column);
  return !words.some((word) => keyWord.test(word)) && measure.test(words.join(''));
}

/** Whether a column is named as the number of a customer or an account: customer_id and Kunde, and not customer_name. */
export function isAccountName(column: string): boolean {
  const words = wordsOf(column).filter((word) => !keyWord.test(word));
  if (otherAccount.test(words.join('_'))) return false;
  return ['whole', 'last'].includes(accountWordIn(words.at(-1) ?? ''));
}

function accountWordIn(word: string): 'whole' | 'first' | 'last' | 'none' {
  if (billedAccount.test(word)) return 'whole';
  const found = accountWord.exec(word);
  if (found !== null) {
    const rest = word.slice(found[0].length).replace(keySuffix, '');
    const isWhole = (inflection.test(rest) && !property.test(rest)) || accountWord.test(rest);
    return isWhole ? 'whole' : 'first';
  }
  return /(?:kunden?|konto|konten|account|customers?|rekening|rekeningen|klant|klanten)$/i.test(word)
    ? 'last'
    : 'none';
}

/** Words before account for one that is billed: contract_account, billing_account. */
const billed = /^(?:contract|billing|bill|service|utility|supply|energy|vertrags?|rechnungs?)$/i;

/** How much a table's name says that each of its rows is an account, from 0 to 100. */
export function accountLikeness(table: string): number {
  const all = tableWords(table);
  if (otherAccount.test(all.join('_'))) return 0;
  const isBilled = saysAccount(all.at(-1) ?? '');
  const words = all.filter((word, at) => at === all.length - 1 || !(isBilled && billed.test(word)));
  const kinds = words.map(accountWordIn);
  if (kinds.length > 0 && kinds.every((kind) => kind === 'whole'))
    return new Set(words).size < words.length ? 20 : 100;
  if (kinds.at(-1) === 'whole' || kinds.at(-1) === 'last') return 60;
  if (kinds.some((kind) => kind !== 'none')) return 15;
  return words.length === 1 && partyWord.test(words[0] ?? '') ? 30 : 0;
}

/** Whether a table or a column says account rather than customer: where both are there, it is what is billed. */
export function saysAccount(name: string): boolean {
  return wordsOf(name).some(
    (word) =>
      /^(?:acct|account|v?konto|konten|vertragskont|rekening|(?:compte|cuenta|conta)s?$|cont[oi]$)/i.test(
        word,
      ) || billedAccount.test(word),
  );
}
