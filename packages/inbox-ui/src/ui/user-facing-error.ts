/** An error whose message comes from the texts and is shown to users. Messages of other errors are for developers. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
}
