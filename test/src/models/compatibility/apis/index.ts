import type { Api } from '../api.js';
import { anthropic } from './anthropic.js';
import { azure } from './azure.js';
import { deepseek } from './deepseek.js';
import { gemini } from './gemini.js';
import { groq } from './groq.js';
import { litellm } from './litellm.js';
import { llamacpp } from './llamacpp.js';
import { mistral } from './mistral.js';
import { ollama } from './ollama.js';
import { openai } from './openai.js';
import { openrouter } from './openrouter.js';
import { vllm } from './vllm.js';

/** All APIs, in the order of the table in `docs/models.md`. */
export const APIS: readonly Api[] = [
  ...[openai, azure, anthropic, gemini, mistral, deepseek],
  ...[groq, openrouter, ollama, vllm, llamacpp, litellm],
];
