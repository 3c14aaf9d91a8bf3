import type { AddedRequest, TenancyContract } from '../../contract/tenancy/contract.ts';
import { identityParameter, withPublished, type AddedStep } from '../../domain/added-step.ts';

/** What a request to a path of a step is for, as faults name it: an item, its check, or the question whether it is there. */
export type AddedEndpoint = 'added' | 'addedCheck' | 'addedStatus';

export const addedEndpoints: readonly AddedEndpoint[] = ['added', 'addedCheck', 'addedStatus'];

/** A path of a step that a profile adds. */
export interface AddedPlace {
  readonly step: AddedStep;
  readonly request: AddedRequest;
  readonly endpoint: AddedEndpoint;
  /** What identifies the item, if the path names it; else ''. */
  readonly item: string;
}

/** The step that a path belongs to, without its query. */
export type FindAdded = (path: string) => AddedPlace | undefined;

/** Where the steps of a profile are served: those whose path the contract has. */
export class AddedPlaces {
  readonly #steps: readonly { readonly step: AddedStep; readonly request: AddedRequest }[];

  constructor(steps: readonly AddedStep[], contract: TenancyContract | undefined) {
    this.#steps = withPublished(steps).flatMap((step) => {
      const request = contract?.added(step.path);
      return request === undefined ? [] : [{ step, request }];
    });
  }

  /** The step that a path belongs to; undefined if it is none of theirs. */
  find(path: string): AddedPlace | undefined {
    for (const { step, request } of this.#steps) {
      const of = { step, request };
      if (path === step.path) return { ...of, endpoint: 'added', item: '' };
      if (path === step.check) return { ...of, endpoint: 'addedCheck', item: '' };
      const [before = '', after = ''] = step.ask?.split(identityParameter) ?? [];
      const isAsked = before !== '' && path.startsWith(before) && path.endsWith(after);
      const item = isAsked ? path.slice(before.length, path.length - after.length) : '';
      const name = item.includes('/') ? '' : decoded(item);
      if (name !== '') return { ...of, endpoint: 'addedStatus', item: name };
    }
    return undefined;
  }
}

/** '' for what is not percent-encoded text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
