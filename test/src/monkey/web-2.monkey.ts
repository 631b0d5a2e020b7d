import { planForPart } from './monkey.spec.support.js';
import { describeMonkeyInBrowser } from '../web/monkey.spec.support.js';

describeMonkeyInBrowser(planForPart(2));
