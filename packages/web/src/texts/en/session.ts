export const roles = { viewer: 'Viewer', operator: 'Operator', approver: 'Approver', admin: 'Admin' } as const;

export const session = {
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
