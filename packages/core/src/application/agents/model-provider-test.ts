import { inject, injectable } from 'inversify';
import {
  SettingsTestFailure,
  type SettingsTestCheck,
  type SettingsTestContribution,
} from '../../contributions/settings-test.js';
import { isModelError } from '../../contributions/model-provider.js';
import { withTimeLimit } from './with-time-limit.js';
import { ModelProviders } from './model-providers.js';
import { Redactor } from './redactor.js';

const TIME_LIMIT_MS = 30_000;

/** Checks every model provider. */
@injectable()
export class ModelProviderTest implements SettingsTestContribution {
  readonly target = 'model';

  constructor(
    @inject(ModelProviders) private readonly providers: ModelProviders,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return this.providers.list().map((provider) => ({
      name: `Model provider "${provider.id}"`,
      run: async () => {
        try {
          return await this.redactor.redactTextTimeSliced(
            await withTimeLimit(TIME_LIMIT_MS, new AbortController().signal, (signal) => provider.check(signal)),
          );
        } catch (error) {
          if (!isModelError(error)) throw error;
          throw new SettingsTestFailure(
            await this.redactor.redactTextTimeSliced(error.message),
            this.redactor.causeUnlessSecret(error),
          );
        }
      },
    }));
  }
}
