import { describe, expect, it } from 'vitest';
import { planUsage } from '../../../src/cli/usages/plan.ts';
import { reconcileUsage } from '../../../src/cli/usages/reconcile.ts';
import { runUsage } from '../../../src/cli/usages/run.ts';
import { validateUsage } from '../../../src/cli/usages/validate.ts';
import { typedOptions } from '../../../src/domain/typed-options.ts';
import { readStoredFacts, storedFacts } from '../../../src/journal/core/run-facts.ts';
import { commandsAt, lacking, leftOutText } from '../../../src/report/advice/commands.ts';

const flags = {
  ...{ with: ['fixes', 'more fixes'], withNew: true, mapping: 'm.yaml', snapshot: 's', encoding: 'latin1' },
  ...{ delimiter: ';', contract: ['c.json'], strictContract: true, documents: 'docs', team: 'T' },
  ...{ concurrency: '8', rate: '20', window: '22:00-05:30', timeZone: 'Europe/Berlin' },
  ...{ maxFailures: { percent: 5 }, limit: 400, until: '05:30' },
  ...{ accounts: 'pilot.txt', steps: new Set(['stage', 'process']), adopt: true, skipUnreadable: true },
};

describe('the commands that advice names', () => {
  const options = typedOptions(flags);
  const place = { source: './export', supplier: 'S', flags: ' --profile live', options };

  it('have the options of the last run that decide what is sent, where they have them', () => {
    const { run, validate, reconcile } = commandsAt(place);
    expect(run).toBe(
      "migrate run ./export --with fixes --with 'more fixes' --with-new --mapping m.yaml --snapshot s --encoding latin1 --delimiter ';' --contract c.json --strict-contract --documents docs --team T --concurrency 8 --rate 20 --window 22:00-05:30 --time-zone Europe/Berlin --max-failures 5% --supplier S --profile live",
    );
    expect(validate).toContain(' --with fixes ');
    expect(validate).not.toMatch(/--team|--rate/);
    expect(reconcile).toBe(
      "migrate reconcile ./export --with fixes --with 'more fixes' --mapping m.yaml --snapshot s --contract c.json --supplier S --profile live",
    );
  });

  it('say which options of the last run they have not', () => {
    expect(leftOutText(place)).toBe(
      'The last run had --accounts pilot.txt --steps stage,process --limit 400 --until 05:30 --adopt --skip-unreadable, which this command has not.',
    );
    expect(leftOutText({ ...place, options: [{ name: 'with', value: 'fixes' }] })).toBe('');
  });

  it('name options that the commands have', () => {
    const usages = { run: runUsage, validate: validateUsage, plan: planUsage, reconcile: reconcileUsage };
    for (const command of ['run', 'validate', 'plan', 'reconcile'] as const) {
      const known = usages[command]().options.map(({ long }) => long);
      const typed = commandsAt({ ...place, flags: '' })[command].match(/ --[a-z-]+/g) ?? [];
      for (const name of typed) expect(known).toContain(name.trim());
      for (const name of lacking[command]) expect(known).not.toContain(`--${name}`);
    }
    const ofRun = runUsage().options.map(({ long }) => long);
    for (const { name } of options) expect(ofRun).toContain(`--${name}`);
  });

  it('find these options in the record of the run', () => {
    const facts = { rehearsal: false, unattended: true, typed: options };
    expect(readStoredFacts(storedFacts(facts))?.typed).toEqual(options);
    expect(readStoredFacts(storedFacts({ rehearsal: false, unattended: true }))?.typed).toBeUndefined();
    expect(typedOptions({ color: true, json: true })).toEqual([]);
    expect(typedOptions({ maxFailures: { count: 5 } })).toEqual([{ name: 'max-failures', value: '5' }]);
  });
});
