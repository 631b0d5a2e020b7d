import {
  ClockPort,
  type Implementation,
  type Live,
  LoggerPort,
  ModelError,
  type ModelProviderContribution,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { LiveOpenAiConfiguration, type OpenAiConfiguration, type OpenAiSettings } from './configuration.js';
import { OpenAiProvider } from './openai-provider.js';

/** The provider `openai`: the OpenAI API or a server that replaces it. */
@injectable()
export class OpenAiModels extends OpenAiProvider {
  constructor(
    @inject(LiveOpenAiConfiguration) private readonly configuration: Live<OpenAiConfiguration>,
    @inject(ClockPort) clock: ClockPort,
    @inject(LoggerPort) logger: LoggerPort,
  ) {
    super('openai', 'Models:OpenAI:ApiKey', clock, logger);
  }

  protected override settings(): OpenAiSettings {
    return this.configuration.current.Models.OpenAI;
  }
}

/** Creates the provider of an item of `Models:OpenAICompatible` as a class, because plugins contribute classes. */
export function createCompatibleModels(id: string): Implementation<ModelProviderContribution> {
  @injectable()
  class CompatibleModels extends OpenAiProvider {
    constructor(
      @inject(LiveOpenAiConfiguration) private readonly configuration: Live<OpenAiConfiguration>,
      @inject(ClockPort) clock: ClockPort,
      @inject(LoggerPort) logger: LoggerPort,
    ) {
      super(id, 'ApiKey of its item in Models:OpenAICompatible', clock, logger);
    }

    protected override settings(): OpenAiSettings {
      const found = this.configuration.current.Models.OpenAICompatible.find(({ Id }) => Id === id);
      if (found === undefined)
        throw new ModelError('model_request_refused', `The model provider "${id}" is no longer configured.`, false);
      return found;
    }
  }
  return CompatibleModels;
}
