import type { CoreConfiguration } from '@countersign/core';

/** Thrown when the sign-in configuration is unsafe or cannot work. The server does not start with it. */
export class AuthConfigurationError extends Error {
  readonly code = 'auth_configuration';

  constructor(message: string) {
    super(message);
    this.name = 'AuthConfigurationError';
  }
}

/** @throws {AuthConfigurationError} if the sign-in configuration is unsafe or cannot work */
export function checkAuthConfiguration(
  { Auth }: Pick<CoreConfiguration, 'Auth'>,
  environment: NodeJS.ProcessEnv = process.env,
): void {
  if (Auth.DevToken.Enabled && environment['NODE_ENV'] === 'production') {
    throw new AuthConfigurationError(
      'Auth:DevToken:Enabled is on while NODE_ENV is "production". Anyone could become an administrator. Turn it off.',
    );
  }
  if (Auth.DevToken.Enabled && Auth.Issuer !== undefined) {
    throw new AuthConfigurationError(
      'Auth:DevToken:Enabled is on while Auth:Issuer is configured. Turn off development tokens or remove Auth:Issuer.',
    );
  }
  if (Auth.Issuer !== undefined && Auth.Audience === undefined) {
    throw new AuthConfigurationError(
      'Auth:Issuer is configured without Auth:Audience, so the server would accept tokens that the issuer issued for other applications. Set Auth:Audience.',
    );
  }
}
