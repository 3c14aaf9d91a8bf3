import { z } from 'zod';

/**
 * The token mutation's address and default shape (section 5; the shape is the published contracts', and all of it
 * is configuration for the client).
 */
export const tokenPath = '/v1/graphql/';

export const tokenMutation =
  'mutation ObtainToken($apiKey: String!) { obtainKrakenToken(input: { APIKey: $apiKey }) ' +
  '{ token refreshToken refreshExpiresIn payload } }';

/** Where the token is in the mutation's answer. */
export const tokenResultPath = 'data.obtainKrakenToken.token';

export const graphqlRequest = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

export const graphqlAnswer = z.looseObject({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.looseObject({
        message: z.string(),
        extensions: z
          .looseObject({
            errorCode: z.string().optional(),
            code: z.string().optional(),
            errorType: z.string().optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});

/** The code of a GraphQL error that says: too many requests. It comes with HTTP 200. */
export const tooManyRequestsCode = 'KT-CT-1199';
