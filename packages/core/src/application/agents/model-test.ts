import { inject, injectable } from 'inversify';
import type { SettingsTestCheck, SettingsTestContribution } from '../../contributions/settings-test.js';
import { ModelError } from '../../contributions/model-provider.js';
import { CountersignError } from '../../errors/countersign-error.js';
import { inTime } from './in-time.js';
import { ModelProviders } from './model-providers.js';
import { Redactor } from './redactor.js';

const LIMIT_MS = 30_000;

/** Tries each model provider that there is. */
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
          return this.redactor.text(
            await inTime(LIMIT_MS, new AbortController().signal, (signal) => provider.check(signal)),
          );
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          throw new CountersignError(error.code, this.redactor.text(error.message), {}, this.redactor.cause(error));
        }
      },
    }));
  }
}
