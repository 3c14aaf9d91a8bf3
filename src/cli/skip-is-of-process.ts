/** Why a ruling as skip of another step than process is refused. */
export const skipIsOfProcess =
  "skip says that the account itself is somebody else's. Use it with the step process, or rule done or repeat.";
