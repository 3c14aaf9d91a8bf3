// A tenancy whose contract requires more of its answers than the interface does, and says some of it in other words.
import { expect, test } from 'vitest';
import { contractAnswers } from '../../src/contract/tenancy/contract-answers.ts';
import { readTenancyContract } from '../../src/contract/tenancy/tenancy-contract.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { openapiDocument } from '../../src/platform/openapi/document.ts';
import { AnswerCheck } from './answer-check.ts';
import { accountPayload, extraPayload, paths, processPayload, statusPath } from './sample-payloads.ts';
import { rehearse, type Answered } from './running-platform.ts';

const text = { type: 'string', minLength: 1 };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  ...{ type: 'object', properties, required },
});
const number = { kraken_account_number: text, account_number: text };
const supplier = { import_supplier: text, import_supplier_code: text };

/** The schema of each success, by its path; those that the document lacks are those of the interface. */
const answers: Readonly<Record<string, JsonObject>> = {
  [paths.validate]: object({
    external_account_number: text,
    validated_by: { type: 'string', enum: ['PLATFORM'] },
    checked: { type: 'integer', minimum: 1 },
  }),
  [paths.stage]: { allOf: [object(supplier), object({ external_account_number: text })] },
  [paths.process]: { ...object({ ...number, external_account_number: text }), additionalProperties: false },
  [paths.notes]: { type: 'array', items: object({ status: text, body: text, account_number: text }) },
  [paths.agreements]: object({ account_number: text, external_account_number: text }),
  [paths.billingDocuments]: object({ ledger_code: text, account_number: text }),
  [paths.statements]: object({ external_account_number: text, account_number: text }),
  [paths.paymentInstruction]: object({ account_number: text, reference: text, vendor: text }),
  'account-transfer-status/': object(
    {
      status: { enum: ['COMPLETED', 'PENDING', 'UNKNOWN'] },
      kraken_account_number: { type: 'string' },
      ...supplier,
    },
    ['status', 'import_supplier_code'],
  ),
  'pending-account-import-processes/': {
    type: 'array',
    items: object({ external_account_number: text, kraken_account_number: { type: 'string' }, ...supplier }),
  },
  'imported-account-import-processes/': {
    type: 'array',
    items: object({ external_account_number: text, account_number: text, ...supplier }),
  },
};

function tenancy(): JsonObject {
  const document = structuredClone(openapiDocument());
  for (const [path, item] of Object.entries(document['paths'] as JsonObject)) {
    const named = Object.entries(answers).find(([part]) => path.includes(`/data-import/${part}`));
    const operation = Object.values(item as JsonObject)[0] as JsonObject;
    if (named === undefined) continue;
    const responses = operation['responses'] as JsonObject;
    const schema: JsonValue = named[1];
    for (const status of ['200', '201'])
      if (responses[status] !== undefined)
        responses[status] = { description: 'Done', content: { 'application/json': { schema } } };
  }
  return document;
}

const document = tenancy();
const check = new AnswerCheck(document);
const contract = readTenancyContract(JSON.stringify(document));

/** A platform of that tenancy; every answer of it is held to the contract. */
async function tenancyPlatform() {
  const { post, get } = await rehearse({ contract });
  const held = (method: string, path: string, answered: Answered): Answered => {
    expect(check.errors(method, `/v1/data-import/${path}`, answered), path).toEqual([]);
    return answered;
  };
  return {
    post: async (path: string, body: unknown) => held('POST', path, await post(path, body)),
    get: async (path: string) => held('GET', path, await get(path)),
  };
}

test('every answer is as the contract has it, from staging to the payment instruction', async () => {
  const { post, get } = await tenancyPlatform();
  const validated = await post(paths.validate, accountPayload('1'));
  expect(validated.body).toMatchObject({ ...accountPayload('1'), validated_by: 'PLATFORM' });
  for (const status of [201, 200])
    expect(await post(paths.stage, accountPayload('1'))).toMatchObject({
      status,
      body: { import_supplier_code: 'TENTACLE_ENERGY', external_account_number: '1' },
    });
  expect((await get('pending-account-import-processes/TENTACLE_ENERGY/')).body).toMatchObject([
    { external_account_number: '1', kraken_account_number: '', import_supplier_code: 'TENTACLE_ENERGY' },
  ]);
  expect((await post(paths.process, processPayload('1'))).body).toEqual({
    kraken_account_number: 'A-00000001',
    account_number: 'A-00000001',
    external_account_number: '1',
  });
  expect((await get(statusPath('1'))).body).toMatchObject({ status: 'COMPLETED' });
  expect((await get('imported-account-import-processes/TENTACLE_ENERGY/')).body).toMatchObject([
    { account_number: 'A-00000001', import_supplier: 'TENTACLE_ENERGY' },
  ]);
  const own = { account_number: 'A-00000001' };
  const notes = await post(paths.notes, extraPayload('1', { notes: [{ body: 'A' }, { body: 'B' }] }));
  expect(notes.body).toMatchObject([own, own]);
  const statement = {
    ...{ statement_id: 'S-1', bill_period_from_date: '2022-01-01', bill_period_to_date: '2022-02-01' },
  };
  expect((await post(paths.statements, extraPayload('1', { statements: [statement] }))).body).toMatchObject({
    ...{ account_number: 'A-00000001', statements: [statement] },
  });
  const agreement = {
    supply_point_identifier: '1200000000000',
    agreement: { effective_from: '2020-01-01', effective_to: '2021-01-01', tariff_code: 'STANDARD' },
  };
  expect((await post(paths.agreements, extraPayload('1', agreement))).body).toEqual({
    ...{ external_account_number: '1', account_number: 'A-00000001' },
  });
  const documents = {
    ...{ ledger_code: 'ENERGY', ledger_number: 'L-1', billing_document_type: 'ITEM_BASED' },
    historical_billing_documents: [
      {
        ...{ billing_document_identifier: 'D-1', billing_document_type: 'ITEM_BASED' },
        ...{ issued_date: '2023-02-01', transactions: [] },
      },
    ],
  };
  expect((await post(paths.billingDocuments, extraPayload('1', documents))).body).toEqual({
    ...{ ledger_code: 'ENERGY', account_number: 'A-00000001' },
  });
  expect(
    (await post(paths.paymentInstruction, extraPayload('1', { vendor: 'V', reference: 'R', type: 'CARD' })))
      .body,
  ).toEqual({
    kraken_account_number: 'A-00000001',
    account_number: 'A-00000001',
    reference: 'R',
    vendor: 'V',
  });
});

test('a refusal stays as the operator has it', async () => {
  const { post } = await tenancyPlatform();
  expect(await post(paths.notes, extraPayload('none', { notes: [{ body: 'A' }] }))).toMatchObject({
    status: 404,
  });
});

test('a status has the word that the contract has for it', () => {
  const answer = { status: 200, body: { status: 'IN_PROGRESS', kraken_account_number: '' } };
  const facts = () => ({ import_supplier_code: 'TENTACLE_ENERGY' });
  expect(contractAnswers([document]).fitted('transferStatus', answer, facts)).toEqual({
    status: 200,
    body: { status: 'PENDING', kraken_account_number: '', import_supplier_code: 'TENTACLE_ENERGY' },
  });
});
