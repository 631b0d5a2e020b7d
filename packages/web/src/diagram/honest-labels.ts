import TextRenderer from 'bpmn-js/lib/draw/TextRenderer';
import { revealed } from '../ui/revealed.js';

/** Of a label; more finds no room, and to lay it out takes long. */
const MOST = 400;

/** Whatever text a diagram shows (names, annotations, messages), with what nobody would see of it named. */
class HonestTextRenderer extends TextRenderer {
  constructor(config: ConstructorParameters<typeof TextRenderer>[0]) {
    super(config);
    // The base sets its methods on each of its objects.
    const { createText } = this;
    this.createText = (text, options) => createText.call(this, revealed(text.length > MOST ? `${text.slice(0, MOST)} …` : text), options);
  }

  static override $inject = ['config.textRenderer'];
}

/** A module of bpmn-js, in the place of its own text renderer. */
export const honestLabels = { textRenderer: ['type', HonestTextRenderer] };
