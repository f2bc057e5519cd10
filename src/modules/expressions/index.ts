import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { ExpressionsResolver } from './expressions.resolver.js';

export const expressions = defineModule({
  name: 'expressions',
  needs: { accounts },
  resolvers: [ExpressionsResolver],
  create() {
    return { services: {}, resolvers: [new ExpressionsResolver()] };
  },
});
