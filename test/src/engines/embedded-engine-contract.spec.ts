import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { describeEngine } from '@countersign/testing';

describeEngine('the embedded engine', () => ({ plugin: engineEmbeddedPlugin }));
