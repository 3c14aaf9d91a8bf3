/** Two accounts of one platform have one platform number, and nothing has told yet whose it is. */
export const numberOfAnotherAccount = 'number_of_another_account';
