import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/domain/nearest.ts';
import { parseStepName, stepNames } from '../../src/domain/steps.ts';

describe('the nearest known name', () => {
  const known = ['concurrency', 'baseUrl', 'team', 'id'];
  it.each([
    ['concurency', 'concurrency'],
    ['baseurl', 'baseUrl'],
    ['BASE_URL', 'baseUrl'],
    ['tema', 'team'],
    ['ix', 'id'],
    ['x', undefined],
    ['payload', undefined],
  ])('to %s is %s', (word, name) => {
    expect(nearest(word, known)).toBe(name);
  });

  it('is none where none are known', () => {
    expect(nearest('word', [])).toBeUndefined();
  });
});

describe('a step’s name', () => {
  it.each(stepNames)('is read as it is written: %s', (name) => {
    expect(parseStepName(name)).toBe(name);
    expect(parseStepName(` ${name.toUpperCase().replaceAll('-', '_')} `)).toBe(name);
  });

  it('may be the endpoint’s longer one', () => {
    expect(parseStepName('historical_billing_documents')).toBe('billing-documents');
    expect(parseStepName('Historical-Agreements')).toBe('agreements');
    expect(parseStepName('historical-statements')).toBe('statements');
    expect(parseStepName('everything')).toBeUndefined();
  });
});
