import { workerData, type MessagePort } from 'node:worker_threads';
import { readyPlans } from './ready-plans.ts';

readyPlans(workerData as MessagePort);
