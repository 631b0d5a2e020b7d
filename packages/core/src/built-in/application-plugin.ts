import { inject, injectable } from 'inversify';
import { ApplicationSettings, type EnrolmentSignIn } from '../application/application-settings.js';
import { NoPolicyDrafts } from '../application/policy-trial/no-policy-drafts.js';
import { type CoreConfiguration, LiveCoreConfiguration } from '../host/configuration/core-configuration.js';
import { definePlugin } from '../host/define-plugin.js';
import type { Live } from '../host/live.js';
import { PLUGIN_API_VERSION } from '../host/plugin-api.js';
import { PolicyDraftPort } from '../ports/policy.js';

@injectable()
class ConfiguredApplicationSettings implements ApplicationSettings {
  readonly serverVersion = PLUGIN_API_VERSION;

  constructor(@inject(LiveCoreConfiguration) private readonly configuration: Live<CoreConfiguration>) {}

  get artifactMaxBytes(): number {
    return this.configuration.current.Artifacts.MaxBytes;
  }

  get stuckAfterMs(): number {
    return this.configuration.current.Runs.StuckAfter;
  }

  get enrolmentSignIn(): EnrolmentSignIn {
    const { MaxSignInAge, AcrValues } = this.configuration.current.Auth.SigningKeys;
    return { maxAgeMs: MaxSignInAge, acrValues: AcrValues };
  }
}

/** Dependencies of the use cases other than the ports that plugins bind. */
export const applicationPlugin = definePlugin({
  id: 'core:application',
  register({ bind, bindDefault }) {
    bind(ApplicationSettings, ConfiguredApplicationSettings);
    bindDefault(PolicyDraftPort, NoPolicyDrafts);
  },
});
