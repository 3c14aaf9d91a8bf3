/** A person ruled that the account on the platform is somebody else's. Nothing is sent to it, also under `--adopt`. */
export const notOurs = 'not_ours';
