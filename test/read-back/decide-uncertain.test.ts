import { expect, it } from 'vitest';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { ofEachStep } from '../../src/domain/steps.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { decide, sightOf, type Sight, type ReadStanding } from '../../src/read-back/decide-uncertain.ts';
import { expectedAccount, type Origin } from '../../src/read-back/expected-account.ts';
import {
  absent,
  notReadable,
  present,
  type PlatformAccount,
  type ReadAgreement,
  type ReadInstruction,
  type ReadNote,
} from '../../src/read-back/platform-account.ts';

const agreement = (product: string, from = '2024-01-01', to = ''): ReadAgreement => ({
  product: present(product),
  from: present(from),
  to: to === '' ? absent : present(to),
  meterPoint: notReadable('not_configured'),
});
const instruction = (reference: string | undefined): ReadInstruction => ({
  type: present('CARD'),
  vendor: present('PAY'),
  reference: reference === undefined ? notReadable('not_configured') : present(reference),
});
const note = (body: string | null, created = '2024-07-01T10:00:00Z'): ReadNote => ({
  body: body === null ? absent : present(body),
  created: present(created),
  pinned: present(false),
});

function held(changes: Partial<PlatformAccount>): PlatformAccount {
  const list = present([]);
  return {
    ...{ number: 'A-1', balance: present(parseDecimal('0') ?? expect.fail()) },
    createdAt: present('2024-07-01T09:00:00Z'),
    ...{ ledgers: list, transactions: list, notes: list, bills: list, metadata: list },
    ...{ agreements: list, paymentInstructions: list },
    ...changes,
  };
}

const sentAgreement = (tariff_code: string, effective_to?: string): JsonObject => ({
  agreement: {
    tariff_code,
    effective_from: '2024-01-01',
    ...(effective_to === undefined ? {} : { effective_to }),
  },
});
const sentInstruction = (reference: string): JsonObject => ({ type: 'CARD', vendor: 'PAY', reference });

/** What a reading shows of each payload; `standings`: of the payloads by step, in their order. */
function seen(
  sent: { agreements?: JsonObject[]; notes?: JsonObject[]; instructions?: JsonObject[] },
  account: PlatformAccount,
  standings: readonly ('known' | 'asked' | 'open' | 'unsent')[],
): (string | undefined)[] {
  const { agreements = [], notes = [], instructions = [] } = sent;
  const extras = {
    ...{ transactions: [], 'billing-documents': [], statements: [], agreements },
    notes: notes.length === 0 ? [] : [{ notes }],
    'payment-instruction': instructions,
  };
  const steps = ofEachStep(() => 'uncertain' as const);
  const expected = expectedAccount({ payload: {}, extras, steps, datesMoved: false }, 2);
  const indexOf = ({ step, path, request }: Origin) =>
    step === 'notes' ? Number(path.split('.')[1]) : request;
  const standingOf = (origin: Origin): ReadStanding => {
    const is = standings[indexOf(origin)] ?? 'unsent';
    return is === 'asked' ? { is, request: String(indexOf(origin)) } : { is };
  };
  const sight = sightOf(expected, standingOf, account, { isQuiet: true });
  return standings.map((_, at) => sight.seen.get(String(at)));
}

it('a request is there if the platform has what it brings', () => {
  const account = held({ agreements: present([agreement('T1'), agreement('T2')]) });
  expect(
    seen({ agreements: [sentAgreement('T1'), sentAgreement('T2')] }, account, ['known', 'asked']),
  ).toEqual([undefined, 'there']);
});

it('of equal items, as many must be there as may be', () => {
  const both = { agreements: [sentAgreement('T1'), sentAgreement('T1')] };
  const having = (count: number) =>
    held({ agreements: present(Array.from({ length: count }, () => agreement('T1'))) });
  expect(seen(both, having(1), ['known', 'asked'])[1]).toBe('missing');
  expect(seen(both, having(2), ['known', 'asked'])[1]).toBe('there');
  expect(seen(both, having(3), ['known', 'asked'])[1]).toBe('doubled');
  expect(seen(both, having(1), ['asked', 'asked'])).toEqual(['unclear', 'unclear']);
  expect(seen(both, having(1), ['open', 'asked'])[1]).toBe('unclear');
});

it('something like it is neither it nor its absence', () => {
  const account = held({ agreements: present([agreement('T1', '2024-01-01', '2024-05-01')]) });
  expect(seen({ agreements: [sentAgreement('T1', '2024-06-01')] }, account, ['asked'])).toEqual(['unclear']);
});

it('a reading that lacks what is there shows nothing', () => {
  const account = held({ agreements: present([agreement('T2')]) });
  const sent = { agreements: [sentAgreement('T1'), sentAgreement('T2'), sentAgreement('T3')] };
  expect(seen(sent, account, ['known', 'asked', 'asked'])).toEqual([undefined, 'unclear', 'unclear']);
});

it('what may not be read is not absent', () => {
  const agreements = notReadable('KT-CT-4177');
  expect(seen({ agreements: [sentAgreement('T1')] }, held({ agreements }), ['asked'])).toEqual([
    'not-readable',
  ]);
  const hidden = { ...agreement('T1'), product: notReadable('KT-CT-4177') };
  expect(
    seen({ agreements: [sentAgreement('T1')] }, held({ agreements: present([hidden]) }), ['asked']),
  ).toEqual(['not-readable']);
});

it('a value that the schema lacks is not asked for, and what differs in it alone counts as equal', () => {
  const sent = { instructions: [sentInstruction('A'), sentInstruction('B')] };
  const one = held({ paymentInstructions: present([instruction(undefined)]) });
  expect(seen(sent, one, ['asked', 'asked'])).toEqual(['unclear', 'unclear']);
  expect(seen(sent, one, ['asked', 'unsent'])[0]).toBe('there');
  const named = held({ paymentInstructions: present([instruction('B')]) });
  expect(seen(sent, named, ['unsent', 'asked'])[1]).toBe('there');
  expect(seen(sent, named, ['asked', 'unsent'])[0]).toBe('unclear');
});

it('notes without a body are counted, and one too many is told', () => {
  const notes = [{ document_paths: [] }, { body: 'Called' }];
  const having = (...all: ReadNote[]) => held({ notes: present(all) });
  expect(seen({ notes }, having(note(null), note('Called')), ['asked', 'known'])[0]).toBe('there');
  expect(seen({ notes }, having(note('Called')), ['asked', 'known'])[0]).toBe('missing');
  expect(seen({ notes }, having(note(null), note(null), note('Called')), ['asked', 'known'])[0]).toBe(
    'doubled',
  );
});

const sight = (is: 'there' | 'doubled' | 'missing' | 'unclear', isQuiet = true, print = 'a'): Sight => ({
  seen: new Map([['1', is]]),
  print,
  isQuiet,
});

it('what is there in one reading is done', () => {
  expect(decide('1', [sight('missing'), sight('there', false)], 'tells')).toBe('done');
  expect(decide('1', [sight('doubled')], 'tells')).toBe('doubled');
});

it('absence counts only after the quiet period, twice, equally, and where it settles', () => {
  const [quiet, early] = [sight('missing'), sight('missing', false)];
  expect(decide('1', [quiet, quiet], 'settles')).toBe('absent');
  expect(decide('1', [quiet, quiet], 'tells')).toBe('unknown');
  expect(decide('1', [quiet], 'settles')).toBe('unknown');
  expect(decide('1', [early, quiet], 'settles')).toBe('unknown');
  expect(decide('1', [sight('missing', true, 'b'), quiet], 'settles')).toBe('unknown');
  expect(decide('1', [quiet, sight('unclear')], 'settles')).toBe('unknown');
  expect(decide('1', [], 'settles')).toBe('unknown');
});
