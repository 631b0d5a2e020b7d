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

const LIMIT_MS = 30_000;

/** Checks every model provider. */
@injectable()
export class ModelTest implements SettingsTestContribution {
  readonly target = 'model';

  constructor(
    @inject(ModelProviders) private readonly providers: ModelProviders,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return this.providers.all().map((provider) => ({
      name: `Model provider "${provider.id}"`,
      run: async () => {
        try {
          return await this.redactor.textInTurns(
            await withTimeLimit(LIMIT_MS, new AbortController().signal, (signal) => provider.check(signal)),
          );
        } catch (error) {
          if (!isModelError(error)) throw error;
          throw new SettingsTestFailure(await this.redactor.textInTurns(error.message), this.redactor.cause(error));
        }
      },
    }));
  }
}
