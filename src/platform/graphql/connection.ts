import { platformError } from './graphql-error.ts';
import { GraphQLError } from 'graphql';

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

interface Connection<Node> {
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly edges: readonly { readonly node: Node; readonly cursor: string }[];
  readonly edgeCount: number;
  readonly totalCount: number;
}

/** The most items of a page. */
const most = 99;

/** One page of a list by cursor. Throws a GraphQLError for a page without a size, or a cursor of no list. */
export function connectionOf<Node>(
  nodes: readonly Node[],
  { first, after }: PageArguments,
): Connection<Node> {
  if (typeof first !== 'number' || first < 1)
    throw new GraphQLError('The argument `first` is required, and must be at least 1.');
  if (first > most) throw platformError('KT-CT-1189', `A page has at most ${most} nodes.`);
  const from = after == null || after === '' ? 0 : positionOf(after) + 1;
  const edges = nodes.slice(from, from + first).map((node, at) => ({ node, cursor: cursorOf(from + at) }));
  return {
    pageInfo: {
      hasNextPage: from + first < nodes.length,
      // Published schemas do not compute it going forward.
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    edges,
    edgeCount: edges.length,
    totalCount: nodes.length,
  };
}

function cursorOf(position: number): string {
  return Buffer.from(`position:${position}`).toString('base64');
}

function positionOf(cursor: string): number {
  const position = /^position:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString())?.[1];
  if (position === undefined) throw new GraphQLError('The cursor is not valid.');
  return Number(position);
}
