import { expect, it } from 'vitest';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import { changed, today, valid, type Changes } from '../payloads.ts';

function phoneIsRight(landline: string, changes: Changes): boolean {
  const payload = changed(valid.account(), { 'customers.0.landline': landline, ...changes });
  const codes = checkPayload('stage', payload, defaultRuleContext(today)).map(({ code }) => code);
  return !codes.includes('invalid_phone_number');
}

const nowhere = { billing_address: undefined, supply_addresses: undefined };

it.each([
  ['020 7946 0958', {}],
  ['(02) 9374 4000', { 'billing_address.country': 'AU' }],
  ['089 / 123456', { 'billing_address.country': 'de' }],
  ['03-1234-5678', { billing_address: undefined, 'supply_addresses.1.supply_address.country': 'JP' }],
  // The bill goes abroad, the phone is at home.
  ['020 7946 0958', { 'billing_address.country': 'FR' }],
  ['+61 2 9374 4000', {}],
  ['+61 2 9374 4000', nowhere],
] as [string, Changes][])('takes %s as a number of the address’s country', (landline, changes) => {
  expect(phoneIsRight(landline, changes)).toBe(true);
});

it.each([
  ['020 7946 0958', nowhere],
  ['020 7946 0958', { 'billing_address.country': 'QQ', supply_addresses: undefined }],
  ['12', {}],
  ['+44 12', {}],
  ['+999 123456789', {}],
] as [string, Changes][])('does not take %s', (landline, changes) => {
  expect(phoneIsRight(landline, changes)).toBe(false);
});
