import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** The mapping that `init` writes of a database. */
async function guessed(sql: string) {
  const db = new Database(join(space.directory, 'old.sqlite'));
  db.exec(sql);
  db.close();
  const made = await ranHere(['init', 'old.sqlite', '--json'], space.directory);
  expect(made.stderr).toBe('');
  return {
    summary: summaryOf(made.stdout),
    text: readFileSync(join(space.directory, 'mapping.yaml'), 'utf8'),
  };
}

/** A supplier whose tables have Dutch names: what is billed refers to a customer, a brand and an address. */
const dutch = `
  CREATE TABLE merken (merk_id INTEGER PRIMARY KEY, code TEXT);
  CREATE TABLE medewerkers (medewerker_id INTEGER PRIMARY KEY, achternaam TEXT, emailadres TEXT);
  CREATE TABLE adressen (adres_id INTEGER PRIMARY KEY, straat TEXT, huisnummer TEXT, postcode TEXT, plaats TEXT, land_code TEXT);
  CREATE TABLE klanten (klant_id INTEGER PRIMARY KEY, voornaam TEXT, achternaam TEXT, emailadres TEXT, verwijderd_op TEXT);
  CREATE TABLE leveringsrekeningen (rekeningnummer TEXT PRIMARY KEY, klant_id INTEGER REFERENCES klanten,
    merk_id INTEGER REFERENCES merken, adres_id INTEGER REFERENCES adressen);
  CREATE TABLE aansluitingen (ean TEXT PRIMARY KEY, adres_id INTEGER REFERENCES adressen);
  CREATE TABLE contracten (contract_id INTEGER PRIMARY KEY, rekeningnummer TEXT REFERENCES leveringsrekeningen, ean TEXT REFERENCES aansluitingen);
  CREATE TABLE meters (meternummer TEXT PRIMARY KEY, ean TEXT REFERENCES aansluitingen);
  CREATE TABLE betalingen (betaling_id INTEGER PRIMARY KEY, rekeningnummer TEXT REFERENCES leveringsrekeningen, datum TEXT, bedrag NUMERIC);
  CREATE TABLE notities (notitie_id INTEGER PRIMARY KEY, rekeningnummer TEXT REFERENCES leveringsrekeningen, tekst TEXT,
    medewerker_id INTEGER REFERENCES medewerkers);
  INSERT INTO merken VALUES (1, 'NOORD'), (2, 'ZUID');
  INSERT INTO medewerkers VALUES (1, 'Kok', 'kok@example.com');
  INSERT INTO adressen VALUES (1, 'Dorpsweg', '7a', '9711 LM', 'Groningen', 'NL'), (2, 'Lange Gracht', '9', '3511 AB', 'Utrecht', 'NL');
  INSERT INTO klanten VALUES (1, 'Daan', 'Smit', 'd@example.com', NULL), (2, 'Anouk', 'Bakker', 'a@example.com', '2024-01-31'),
    (3, 'Thijs', 'Visser', 't@example.com', NULL);
  INSERT INTO leveringsrekeningen VALUES ('8001', 1, 1, 1), ('8002', 2, 2, 2), ('8003', 3, 1, 1), ('8004', 1, 2, 2);
  INSERT INTO aansluitingen VALUES ('8716001', 1), ('8716002', 2);
  INSERT INTO contracten VALUES (71, '8001', '8716001'), (72, '8002', '8716002');
  INSERT INTO meters VALUES ('M1', '8716001');
  INSERT INTO betalingen VALUES (91, '8001', '2024-01-31', 10.5), (92, '8002', '2024-01-30', 11.5);
  INSERT INTO notities VALUES (1, '8001', 'Belde', 1);
`;

describe('init of a supplier whose tables have names in another language', () => {
  it('takes what is billed for the account rather than its customer', async () => {
    const { summary } = await guessed(dutch);
    expect(summary).toMatchObject({
      accounts: { file: 'leveringsrekeningen', key: 'rekeningnummer' },
      missing: ['import_supplier'],
    });
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 4, valid: 4 });
  });

  it('tells staff from customers, and names what may be the brand, the deleted and the meters', async () => {
    const { text } = await guessed(dutch);
    expect(text).toContain('m.achternaam AS medewerkers_achternaam');
    expect(text).toContain('# import_supplier: merken_code #');
    expect(text).toContain(
      "# verwijderd_op may mark deleted rows. To leave these out: ignore: { verwijderd_op: { not: '' } }",
    );
    expect(text).toContain('ean of meters names a row of aansluitingen, as ean of contracten does.');
    expect(text).toContain('# transactions: { from: betalingen, ');
  });

  it('writes the query that joins meters by the place of an agreement, to be uncommented', async () => {
    const { text } = await guessed(dutch);
    const query = / {2}# meters:\n(?: {2}# +(?:key|query): .*\n)+(?: {2}# {5}.*\n)+/.exec(text)?.[0] ?? '';
    expect(query).toContain('JOIN contracten AS c ON c.ean = m.ean');
    const mended = text
      .replace(query, query.replaceAll(/^ {2}# /gm, '  '))
      .replace(
        '# transactions:',
        'notes: { from: meters, each: { body: meternummer, created_at: { constant: 2024-01-31T00:00:00Z } } }\n# transactions:',
      );
    writeFileSync(join(space.directory, 'mapping.yaml'), mended);
    const explained = await ranHere(['explain', '8001', '--supplier', 'X'], space.directory);
    expect(explained.stdout).toContain('body: M1');
  });

  it('knows meters and invoices from accounts, whose words begin alike', async () => {
    const { summary } = await guessed(`
      CREATE TABLE abonnes (id_abonne INTEGER PRIMARY KEY, nom TEXT);
      CREATE TABLE compteurs (id_compteur INTEGER PRIMARY KEY, id_abonne INTEGER REFERENCES abonnes, puissance INTEGER);
      CREATE TABLE releves (id_releve INTEGER PRIMARY KEY, id_compteur INTEGER REFERENCES compteurs, valeur INTEGER);
      CREATE TABLE defauts (id_defaut INTEGER PRIMARY KEY, id_compteur INTEGER REFERENCES compteurs);
      INSERT INTO abonnes VALUES (101, 'Morel'), (102, 'Faure');
      INSERT INTO compteurs VALUES (1, 101, 6), (2, 102, 9);`);
    expect(summary).toMatchObject({ accounts: { file: 'abonnes' } });
  });
});

/** A water supplier with Portuguese names: accounts with a key of two columns, offices, people and companies, and places with meters. */
const portuguese = `
  CREATE TABLE delegacao (cod TEXT PRIMARY KEY, nome TEXT);
  CREATE TABLE entidade (nif TEXT PRIMARY KEY, nome_proprio TEXT, apelido TEXT, denominacao TEXT, email TEXT, telemovel TEXT, apagado INTEGER);
  CREATE TABLE conta (delegacao TEXT REFERENCES delegacao, num_conta INTEGER, nif TEXT REFERENCES entidade, saldo_cent INTEGER,
    apagado INTEGER, PRIMARY KEY (delegacao, num_conta));
  CREATE TABLE tarifario (cod TEXT PRIMARY KEY, designacao TEXT);
  CREATE TABLE rua (cod_rua INTEGER PRIMARY KEY, designacao TEXT);
  CREATE TABLE ramal (local_id INTEGER PRIMARY KEY, cod_rua INTEGER REFERENCES rua, porta TEXT);
  CREATE TABLE contador (num_serie TEXT PRIMARY KEY, local_id INTEGER REFERENCES ramal);
  CREATE TABLE contrato (delegacao TEXT, num_conta INTEGER, seq INTEGER, local_id INTEGER REFERENCES ramal, tarifario TEXT REFERENCES tarifario,
    PRIMARY KEY (delegacao, num_conta, seq), FOREIGN KEY (delegacao, num_conta) REFERENCES conta);
  INSERT INTO delegacao VALUES ('01', 'Lisboa'), ('02', 'Braga');
  INSERT INTO entidade VALUES ('1', 'Rui', 'Pais', NULL, 'rui@example.com', '912345678', 0), ('2', 'Eva', 'Melo', NULL, 'eva@example.com', NULL, 1),
    ('3', NULL, NULL, 'Padaria Sol', 'sol@example.com', '934567890', 0);
  INSERT INTO conta VALUES ('01', 7, '1', 1250, 0), ('01', 8, '2', 0, 0), ('02', 7, '3', -40, 1);
  INSERT INTO tarifario VALUES ('D', 'Casa'), ('C', 'Loja');
  INSERT INTO rua VALUES (1, 'Rua do Sol'), (2, 'Rua da Lua');
  INSERT INTO ramal VALUES (1, 1, '3'), (2, 2, '5'), (3, 1, '9');
  INSERT INTO contador VALUES ('K1', 1), ('K2', 2), ('K3', 3);
  INSERT INTO contrato VALUES ('01', 7, 1, 1, 'D'), ('01', 8, 1, 2, 'D'), ('02', 7, 1, 3, 'C');
`;

describe('init of a supplier with offices', () => {
  it("takes no office's name for the customer's, and what is called name after its table", async () => {
    const { text } = await guessed(portuguese);
    expect(text).toContain('d.nome AS delegacao_nome');
    expect(text).toContain('t.designacao AS tarifario_designacao');
    expect(text).toMatch(/given_name: .*nome_proprio.*denominacao/);
    expect(text).toMatch(/family_name: .*apelido.*denominacao/);
    expect(text).toMatch(/landline: telemovel/);
    expect(text).not.toMatch(/given_name: (?:delegacao_)?nome\b/);
  });

  it('says of accounts and of their people how deleted ones are left out', async () => {
    const { text } = await guessed(portuguese);
    expect(text).toContain('# apagado may mark deleted rows. To leave these out: ignore: { apagado: "1" }');
    expect(text).toContain('ignore: { entidade_apagado: "1" }');
  });

  it('writes the query of meters by places of which each is named once', async () => {
    const { text } = await guessed(portuguese);
    expect(text).toContain('#     JOIN contrato AS c2 ON c2.local_id = c.local_id');
  });
});

describe('init of a customer whose town is in a table of its own', () => {
  const french = `
    CREATE TABLE villes (ville_id INTEGER PRIMARY KEY, nom TEXT);
    CREATE TABLE client (client_id INTEGER PRIMARY KEY, prenom TEXT, nom TEXT, courriel TEXT, rue TEXT, code_postal TEXT,
      ville_id INTEGER REFERENCES villes);
    INSERT INTO villes VALUES (1, 'Lyon'), (2, 'Nantes');
    INSERT INTO client VALUES (1, 'Jean', 'Petit', 'j@example.com', '1 rue Haute', '69001', 1), (2, 'Lise', 'Roux', 'l@example.com', '2 rue Basse', '44000', 2);`;

  it('reads the town by the name of that table, and no town for a person', async () => {
    const { text } = await guessed(french);
    expect(text).toContain('v.nom AS villes_nom');
    expect(text).toMatch(/locality: villes_nom/);
    expect(text).toMatch(/family_name: nom[,\s]/);
  });
});
