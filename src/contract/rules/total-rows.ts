import type { AccountPayload } from '../schemas/account.ts';
import type { Rule } from './rule.ts';

/** What reports call the row of their sums, in the languages of exports; in lower case, as NFKC, without marks at the ends. */
const words: ReadonlySet<string> = new Set(
  [
    'total, grand total, totals, subtotal, sub total, sub-total, sum, overall',
    'summe, gesamt, gesamtsumme, endsumme, zwischensumme, insgesamt, saldo, total général, total general, sous-total, somme',
    'totale, totale generale, subtotale, totale complessivo, suma, suma total, soma, total geral, totaal, subtotaal, generaal totaal',
    'razem, suma końcowa, ogółem, celkem, součet, mezisoučet, celkom, spolu, összesen, mindösszesen, végösszeg',
    'ukupno, skupaj, skupno, total general, yhteensä, summa, totalsumma, totalt, i alt, sum total, samtals, kokku, kopā, iš viso',
    'σύνολο, γενικό σύνολο, итого, всего, разом, усього, общо, toplam, genel toplam',
    '合計, 総計, 総合計, 小計, 累計, 总计, 合计, 小计, 總計, 合計數, 합계, 총계, 소계, المجموع, סה"כ, รวม, tổng cộng',
  ].flatMap((line) => line.split(', ')),
);

/** How many rows there are, or their sum: `Total: 12 rows`, `合計12件`. */
const amountBehind = /(?:[\s:=(]+|(?<=[\p{Script=Han}\p{Script=Hangul}]))[+-]?\d[\d.,' ]*\s*\p{L}*[)\].]*$/u;

/** Whether a text is what a report calls the row of its sums. */
export function namesTotal(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(amountBehind, '')
    .replaceAll(/^[\p{P}\p{S}\p{Z}]+|[\p{P}\p{S}\p{Z}]+$/gu, '')
    .replaceAll(/\s+/g, ' ');
  // As Japanese reports space it out.
  return words.has(plain) || words.has(plain.replaceAll(' ', ''));
}

/** A row of sums at the end of a report is no account. */
export const totalRow: Rule<AccountPayload> = {
  code: 'total_row',
  check({ external_account_number: number }, report) {
    if (namesTotal(number))
      report(
        'external_account_number',
        'This looks like a row of totals, and not like an account. Remove the row, or leave it out with ignore in the mapping.',
      );
  },
};
