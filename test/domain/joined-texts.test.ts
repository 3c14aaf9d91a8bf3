import { expect, test } from 'vitest';
import { joinTexts, splitTexts } from '../../src/domain/joined-texts.ts';

test.each([[['A-1', 'A-2']], [['']], [[]], [['a\u001fb', 'c']], [['j["x"]', 't', 'line\nend', 'ž😀']]])(
  '%j is the same after it was joined',
  (texts) => {
    expect(splitTexts(joinTexts(texts))).toEqual(texts);
  },
);
