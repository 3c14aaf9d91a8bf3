/** Two accounts of one platform have the same platform number, and it is not known which of them has it. */
export const numberOfAnotherAccount = 'number_of_another_account';
