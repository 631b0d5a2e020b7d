import { describeModels } from './models.spec.support.js';

describeModels(1);
