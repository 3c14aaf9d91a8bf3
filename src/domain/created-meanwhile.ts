/** The platform created an account between this run's staging and its process request, and no attempt was lost. */
export const createdMeanwhile = 'created_meanwhile';
