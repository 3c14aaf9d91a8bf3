import type { AccountSides } from '../read-back/side-by-side.ts';
import { paragraph } from '../report/paragraph.ts';
import { table } from '../report/table.ts';
import type { Page } from '../report/terminal.ts';

const notes: Readonly<Record<AccountSides['state'], string | undefined>> = {
  compared: undefined,
  'no-export': 'Nothing was compared: name the export with --export.',
  'changed-since': 'Nothing was compared: the data of the export is not what was sent.',
  'no-number': 'Nothing was read: the journal has no account number of the platform.',
  'no-account': 'The platform says that it has no such account.',
};

/** Export, journal and platform side by side, for people. */
export function accountSidesText(page: Page, { state, rows }: AccountSides): string {
  const told = {
    equal: 'equal',
    differs: 'differs',
    'not-readable': 'not readable',
    'not-compared': 'not compared',
  };
  const note = notes[state];
  return [
    page.paint.bold('Export, sent and held'),
    ...(note === undefined ? [] : [paragraph(page, note, '  ')]),
    ...(rows.length === 0
      ? []
      : [
          table(
            page,
            [
              { title: 'Part', whole: true },
              { title: 'Export', align: 'right' },
              { title: 'Sent', wrap: true },
              { title: 'Held', align: 'right' },
              { title: 'Compared', wrap: true },
            ],
            rows.map(({ part, export: own, sent, held, reason, compared, kinds }) => [
              part,
              own ?? '-',
              Object.entries(sent)
                .map(([step, stepState]) => `${step} ${stepState}`)
                .join(', '),
              held ?? '-',
              [told[compared], ...(reason === undefined ? [] : [`(${reason})`]), kinds.join(', ')]
                .filter((word) => word !== '')
                .join(' '),
            ]),
          ),
        ]),
  ].join('\n');
}
