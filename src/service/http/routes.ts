import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts';
import { tokenPath } from '../../contract/schemas/token.ts';

export interface Place {
  readonly name: EndpointName | 'token';
  readonly method: string;
  /** Values of the path's parameters, decoded. */
  readonly supplier: string;
  readonly account: string;
  readonly query: URLSearchParams;
}

export type Found =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'no-slash' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'nowhere' };

interface Route {
  readonly name: EndpointName;
  readonly method: string;
  readonly segments: number;
}

/** Routes by what comes before their parameters; every parameter fills one segment. */
const routes: ReadonlyMap<string, Route> = new Map(
  (Object.entries(endpoints) as [EndpointName, Endpoint][]).map(([name, { method, path }]) => {
    const [fixed = '', ...parameters] = path.split('{');
    return [fixed, { name, method, segments: parameters.length }];
  }),
);

/** The endpoint that a request's target names. Paths end in a slash; a `%2F` stays inside its segment. */
export function findPlace(target: string): Found {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const whole = routeOf(path);
  if (whole === undefined) return { kind: routeOf(`${path}/`) === undefined ? 'nowhere' : 'no-slash' };
  try {
    const [supplier = '', account = ''] = whole.parameters.map(decodeURIComponent);
    return { kind: 'place', place: { name: whole.name, method: whole.method, supplier, account, query } };
  } catch {
    return { kind: 'malformed' };
  }
}

function routeOf(path: string) {
  if (path === tokenPath) return { name: 'token' as const, method: 'POST', parameters: [] };
  for (let segments = 0; segments <= 2; segments++) {
    const [fixed, parameters] = splitEnd(path, segments);
    const route = routes.get(fixed);
    if (route?.segments === segments && parameters.every((value) => value !== ''))
      return { name: route.name, method: route.method, parameters };
  }
  return undefined;
}

/** Parts the last segments of a path that ends in a slash from what comes before them. */
function splitEnd(path: string, segments: number): [string, string[]] {
  if (segments === 0 || !path.endsWith('/')) return [path, []];
  const parts = path.slice(0, -1).split('/');
  const cut = Math.max(parts.length - segments, 0);
  return [`${parts.slice(0, cut).join('/')}/`, parts.slice(cut)];
}
