import { plainField } from './field-words.ts';
import { oneLine, quoted } from './mapping-lines.ts';
import type { GuessedColumn, GuessedTable } from './guessed-table.ts';

const ofSupplier =
  /(?:supplier|lieferant|fournisseur|proveedor|comercializador|fornitore|fornecedor|leverancier|dostawc|sprzedawc|mandant|brand|marque|^merk|^marcas?(?:id|$)|buchungskreis|companycode)/;
/** More different texts name something else. */
const mostSuppliers = 12;
/** A text that may be the platform's name of a supplier as it is. */
const isName = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/**
 * The comment that fills the import supplier: by the column of the accounts that tells several suppliers of one database apart, or by a
 * constant.
 */
export function supplierLine(accounts: GuessedTable): string {
  const found = accounts.columns
    .flatMap((column) => {
      const names = namesIn(column);
      return names === undefined ? [] : [{ column, names }];
    })
    .sort((one, other) => Number(isNamed(other.names)) - Number(isNamed(one.names)))[0];
  if (found === undefined) return '# import_supplier: { constant: TENTACLE_ENERGY } # or use --supplier';
  const { column, names } = found;
  const name = quoted(column.name);
  const about = `# ${oneLine(column.name)} may say whose account it is; or one constant, or --supplier`;
  if (isNamed(names)) return `# import_supplier: ${name} ${about}`;
  const codes = names.map((text) => `${quoted(text)}: SUPPLIER_${oneLine(text).replaceAll(/\W/g, '_')}`);
  return `# import_supplier: { column: ${name}, codes: { ${codes.join(', ')} } } ${about}`;
}

/** The texts that name suppliers, if a column of this name has several and few. */
function namesIn({ name, origin, texts, guess }: GuessedColumn): readonly string[] | undefined {
  const isOfTable = ofSupplier.test(plainField(origin)) && guess.kind !== 'date' && guess.kind !== 'amount';
  if (!ofSupplier.test(plainField(name)) && !isOfTable) return undefined;
  const names = [...new Set(texts)].filter((text) => text !== '').sort();
  return names.length < 2 || names.length > mostSuppliers ? undefined : names;
}

function isNamed(names: readonly string[]): boolean {
  return names.every((name) => name.length > 2 && isName.test(name));
}
