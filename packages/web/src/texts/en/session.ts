export const roles = { viewer: 'Viewer', operator: 'Operator', approver: 'Approver', admin: 'Admin' } as const;

export const session = {
  failures: {
    title: 'You are not signed in',
    codes: {
      access_denied: 'The issuer refused, or you broke off signing in there.',
      login_required: 'The issuer wants you to sign in there first.',
      temporarily_unavailable: 'The issuer is not available just now. Try again in a moment.',
      server_error: 'The issuer failed. Try again in a moment.',
    },
    refused: (code: string) => `The issuer refused (${code}).`,
    saying: (words: string, description: string) => `${words} It says: “${description}”.`,
    state: 'This sign-in was not begun in this window, or took too long. Begin again.',
    unreachable: 'The issuer can’t be reached just now. Try again in a moment.',
    failed: (reason: string) => `Signing in failed: ${reason}`,
    again: 'Sign in again',
  },
  handedOver: 'You are signed in. This window can be closed.',
  closeWindow: 'Close this window',
  endedTitle: 'Your session has ended',
  endedHint: 'Sign in to go on. What you typed is still there.',
  beside: 'You sign in in a window of its own; this one stays as it is.',
  noRoleTitle: 'You have no role here',
  noRole:
    'You are signed in, but nobody has given you a role in Countersign. Ask an administrator for one, and sign in again.',
  title: 'Sign in to Countersign',
  expired: 'Your session has ended. Sign in to go on where you were.',
  byIssuer: (issuer: string) => `You sign in at ${issuer}.`,
  signIn: 'Sign in',
  noClient: 'Signing in is not configured: Auth:ClientId is missing.',
  noWayIn: 'Signing in is not configured: neither an issuer (Auth:Issuer) nor development tokens.',
  development: 'This server is in development: choose who you want to be.',
  role: 'Role',
  name: 'Name',
  nameHint: 'Left out, you are called as the role.',
} as const;
