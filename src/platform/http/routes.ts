import { knownEndpoints, type Endpoint, type KnownEndpointName } from '../../contract/endpoints.ts';
import type { AddedEndpoint, AddedPlace, FindAdded } from './added-places.ts';
import { tokenPath } from '../../contract/schemas/token.ts';

/** Who may come in: anyone, the bearer of a token (section 5), or the operator with an API key. */
export type Door = 'open' | 'token' | 'operator';

interface Route {
  readonly name:
    KnownEndpointName | AddedEndpoint | 'token' | 'openapi' | 'operator' | 'expireTokens' | 'restart';
  readonly methods: readonly string[];
  readonly door: Door;
  /** How many segments its parameters fill. */
  readonly segments: number;
}

/** What a request's target names. */
export interface RoutedRequest extends Route {
  /** Values of the path's parameters, decoded; '' if it has none. */
  readonly supplier: string;
  readonly account: string;
  readonly query: URLSearchParams;
  readonly added?: AddedPlace;
}

export type Found =
  | { readonly kind: 'place'; readonly place: RoutedRequest }
  | { readonly kind: 'no-slash' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'nowhere' };

/** Routes by what comes before their parameters, and `{}` for each of those. */
const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...(Object.entries(knownEndpoints) as [KnownEndpointName, Endpoint][]).map(
    ([name, { method, path }]): [string, Route] => {
      const [fixed = '', ...parameters] = path.split('{');
      return [
        `${fixed}${'{}'.repeat(parameters.length)}`,
        { name, methods: [method], door: 'token', segments: parameters.length },
      ];
    },
  ),
  [tokenPath, { name: 'token', methods: ['POST'], door: 'open', segments: 0 }],
  ['/openapi.json', { name: 'openapi', methods: ['GET'], door: 'open', segments: 0 }],
  ['/operator/', { name: 'operator', methods: ['GET', 'PATCH'], door: 'operator', segments: 0 }],
  ['/operator/expire-tokens/', { name: 'expireTokens', methods: ['POST'], door: 'operator', segments: 0 }],
  ['/operator/restart/', { name: 'restart', methods: ['POST'], door: 'operator', segments: 0 }],
]);

const noQuery = new URLSearchParams();

/** The place that a request's target names. Paths end in a slash; a `%2F` stays inside its segment. */
export function findPlace(target: string, findAdded: FindAdded = () => undefined): Found {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1));
  const found = routeOf(path);
  const added = findAdded(path);
  if (added !== undefined) {
    const { endpoint, item } = added;
    const methods = [endpoint === 'addedStatus' ? 'GET' : 'POST'];
    const of = { supplier: '', account: item, query, added };
    return { kind: 'place', place: { name: endpoint, methods, door: 'token', segments: 0, ...of } };
  }
  if (found === undefined) return { kind: routeOf(`${path}/`) === undefined ? 'nowhere' : 'no-slash' };
  try {
    const [supplier = '', account = ''] = found.parameters.map(decodeURIComponent);
    return { kind: 'place', place: { supplier, account, query, ...found.route } };
  } catch {
    return { kind: 'malformed' };
  }
}

function routeOf(path: string): { route: Route; parameters: string[] } | undefined {
  const exact = routes.get(path);
  if (exact?.segments === 0) return { route: exact, parameters: [] };
  if (!path.endsWith('/')) return undefined;
  const parts = path.slice(0, -1).split('/');
  for (const segments of [1, 2]) {
    const parameters = parts.slice(-segments);
    const route = routes.get(`${parts.slice(0, -segments).join('/')}/${'{}'.repeat(segments)}`);
    if (route !== undefined && parameters.every((value) => value !== '')) return { route, parameters };
  }
  return undefined;
}
