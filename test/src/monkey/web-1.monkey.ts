import { planOfPart } from './monkey.spec.support.js';
import { describeMonkeyInBrowser } from '../web/monkey.spec.support.js';

describeMonkeyInBrowser(planOfPart(1));
