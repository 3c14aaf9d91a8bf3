import { expect } from 'vitest';
import type { Answered } from './target.ts';

/** A validation error body (section 7); with an attr, one of its errors lies there or below. */
export function expectInvalid(answered: Answered, attr?: string): void {
  expect(`${answered.status} ${answered.text}`).toMatch(/^400 /);
  expect(answered.body).toMatchObject({
    detail: expect.any(String),
    code: expect.any(String),
    errors: expect.any(Array),
  });
  for (const error of answered.body.errors as unknown[])
    expect(error).toMatchObject({
      detail: expect.any(String),
      code: expect.any(String),
      attr: expect.any(String),
    });
  if (attr !== undefined)
    expect((answered.body.errors as { attr: string }[]).map((error) => error.attr)).toContain(attr);
}

export const datetime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
