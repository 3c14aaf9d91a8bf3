import { GraphQLError } from 'graphql';

/** The errors that the platform's GraphQL knows, by their published codes. */
const known = {
  'KT-CT-1112': ['AUTHORIZATION', 'The Authorization header is not provided, or its token is not valid.'],
  'KT-CT-1113': ['VALIDATION', 'This field is disabled.'],
  'KT-CT-1139': ['AUTHORIZATION', 'Authentication failed.'],
  'KT-CT-1188': ['VALIDATION', 'The query is too complex.'],
  'KT-CT-1189': ['VALIDATION', 'The query asks for too many nodes.'],
  'KT-CT-1199': ['SERVICE_AVAILABILITY', 'Too many requests.'],
  'KT-CT-4177': ['AUTHORIZATION', 'Unauthorized.'],
  'KT-CT-7899': ['SERVICE_AVAILABILITY', 'This part of the answer is not available now.'],
} as const;

export type KnownCode = keyof typeof known;

export function platformError(errorCode: KnownCode, detail?: string): GraphQLError {
  const [errorType, errorDescription] = known[errorCode];
  return new GraphQLError(detail ?? errorDescription, {
    extensions: { errorType, errorCode, errorDescription },
  });
}
