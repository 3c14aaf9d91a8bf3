import { taskStatusAnswer } from '../../contract/answers.ts';
import { failedValidationCode } from '../../contract/scheduled-import.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ConformanceCheck } from '../check.ts';
import { fieldOf, type Trial } from '../trial.ts';
import { refusedPhone } from './payload-rules.ts';

/** Longer ago than clocks differ. */
const dayMs = 86_400_000;

/** Scheduled import (v2), which only published contracts have. Every submission is a dry run: nothing is created. */
export const scheduledImportChecks: readonly ConformanceCheck[] = [
  {
    section: 'contract',
    sentence: 'Scheduled import: validate answers 200, and schedules nothing.',
    asks: ['scheduleValidate', 'scheduleStatus'],
    account: 'new',
    run: async (trial) => {
      const { platform, account } = trial;
      const answered = await platform.post('scheduleValidate', { payload: trial.payloads.account(account) });
      if (!trial.expectSuccess('scheduleValidate', answered)) return;
      trial.expectStatus(await platform.taskStatus(account), 404, 'for an account that was only validated');
    },
  },
  {
    section: 'contract',
    sentence: 'Scheduled import: validate refuses invalid data with 400 and its place.',
    asks: ['scheduleValidate'],
    account: 'new',
    run: async (trial) => {
      const wrong = refusedPhone(trial);
      if (wrong === undefined) return;
      const answered = await trial.platform.post('scheduleValidate', { payload: wrong.payload });
      trial.expectInvalid(answered, wrong.path);
    },
  },
  {
    section: 'contract',
    sentence: 'Scheduled import: a submission answers 201, and its status can be asked for.',
    asks: ['schedule', 'scheduleStatus'],
    account: 'new',
    run: async (trial) => {
      const { platform, account } = trial;
      if (!trial.expectSuccess('schedule', await submitted(trial))) return;
      const status = await platform.taskStatus(account);
      const isStatus = status.status === 200 && taskStatusAnswer.safeParse(status.body).success;
      trial.expect(isStatus, 'a status with its word', status);
    },
  },
  {
    section: 'contract',
    sentence: 'Scheduled import: a submission of invalid data is refused with 400, and leads to validate.',
    asks: ['schedule'],
    account: 'new',
    run: async (trial) => {
      const wrong = refusedPhone(trial);
      if (wrong === undefined) return;
      const answered = await submitted(trial, { payload: wrong.payload });
      if (!trial.expectStatus(answered, 400, 'for invalid data')) return;
      const isNamed = fieldOf(answered.body, 'code') === failedValidationCode;
      trial.expect(isNamed, `the code ${failedValidationCode}`, answered);
    },
  },
  {
    section: 'contract',
    sentence: 'Scheduled import: a window that began in the past is refused with 400.',
    asks: ['schedule'],
    account: 'new',
    run: async (trial) => {
      const start = new Date(trial.platform.now - dayMs).toISOString();
      const answered = await submitted(trial, {}, { schedule_window_start: start });
      trial.expectStatus(answered, 400, 'for a start of yesterday');
    },
  },
];

function submitted(trial: Trial, own: JsonObject = {}, window: JsonObject = {}) {
  return trial.platform.post('schedule', {
    payload: trial.payloads.account(trial.account),
    ...own,
    task_params: { is_dry_run: true, ...window },
  });
}
