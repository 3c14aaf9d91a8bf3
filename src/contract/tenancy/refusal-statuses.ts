import { isJsonObject } from '../../domain/json.ts';
import { endpointOf, knownEndpoints, type KnownEndpointName } from '../endpoints.ts';
import { stepNames } from '../../domain/steps.ts';
import type { Contract } from './contract.ts';
import { pathIn } from './request-schemas.ts';

/** Statuses with which the platform refuses, by endpoint, besides those of the interface. */
export type RefusalStatuses = Readonly<Partial<Record<KnownEndpointName, readonly number[]>>>;

/** Those of access, of a proxy, of a request that came too slowly, and of too many: they do not refuse the data. */
const otherMeanings: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

const submitting = ['scheduleValidate', 'schedule'] as const;

/** The 4xx that a tenancy's contract lists for the endpoints that the steps send to. */
export function refusalStatuses({ documents }: Pick<Contract, 'documents'>): RefusalStatuses {
  return Object.fromEntries(
    [...stepNames.map((step) => endpointOf[step]), ...submitting].map((name) => {
      const listed = documents.flatMap((document) => {
        const { paths } = document;
        const path = pathIn(document, knownEndpoints[name].path);
        const item = path === undefined || !isJsonObject(paths) ? undefined : paths[path];
        const operation = isJsonObject(item) ? item['post'] : undefined;
        const responses = isJsonObject(operation) ? operation['responses'] : undefined;
        return isJsonObject(responses) ? Object.keys(responses) : [];
      });
      const statuses = listed.flatMap((status) => (/^4\d\d$/.test(status) ? Number(status) : []));
      return [name, statuses.filter((status) => !otherMeanings.has(status))];
    }),
  );
}
