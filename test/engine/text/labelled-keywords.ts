/** Keywords of one topic, grouped by hand: each group is one search intent. */
export interface LabelledSet {
  topic: string;
  groups: readonly (readonly string[])[];
}

/** Used to choose the threshold of clustersOf. */
export const TUNING: readonly LabelledSet[] = [
  {
    topic: 'running',
    groups: [
      ['running shoes', 'best running shoes', 'running shoes for men', 'trail running shoes', 'running shoe reviews'],
      [
        'marathon training plan',
        'marathon training',
        'marathon training schedule for beginners',
        'half marathon training',
      ],
      ['knee pain', 'knee pain after running', 'how to treat knee pain', 'runners knee'],
      ['gps watch', 'best gps watches', 'gps watch battery life'],
      ['treadmill', 'treadmill workout', 'folding treadmills', 'treadmill for home'],
      ['energy gels', 'energy gel ingredients', 'are energy gels healthy'],
      ['heart rate zones', 'maximum heart rate', 'heart rate monitor'],
    ],
  },
  {
    topic: 'coffee',
    groups: [
      ['espresso machine', 'espresso machines for home', 'best espresso machine', 'espresso machine cleaning'],
      ['cold brew', 'cold brew recipe', 'how to make cold brew', 'cold brew ratio'],
      ['coffee grinder', 'burr grinder', 'manual coffee grinder', 'grinders for espresso'],
      ['decaf coffee', 'decaffeinated coffee beans', 'is decaf healthy'],
      ['milk frother', 'electric milk frother', 'frothing milk'],
      ['fair trade', 'fair trade certification', 'fairtrade beans'],
    ],
  },
  {
    topic: 'Garten',
    groups: [
      ['Rasen mähen', 'Rasenmäher', 'Rasenmäher Test', 'Rasen düngen'],
      ['Tomaten pflanzen', 'Tomatenpflanzen gießen', 'Tomaten im Kübel'],
      ['Kompost anlegen', 'Komposter', 'Komposthaufen'],
      ['Rosen schneiden', 'Rosenschnitt', 'Rosen im Herbst schneiden'],
      ['Hochbeet bauen', 'Hochbeet befüllen', 'Hochbeete aus Holz'],
    ],
  },
];

/** Used only to measure the quality. */
export const HELD_OUT: readonly LabelledSet[] = [
  {
    topic: 'insurance',
    groups: [
      ['car insurance', 'cheap car insurance', 'car insurance quotes', 'auto insurance', 'insurance for young drivers'],
      ['home insurance', 'home insurance cost', 'house insurance', 'homeowners insurance'],
      ['travel insurance', 'travel insurance for seniors', 'travel medical insurance'],
      ['life insurance', 'term life insurance', 'whole life policies'],
      ['pet insurance', 'dog insurance', 'is pet insurance worth it'],
      ['file a claim', 'claim form', 'claims process', 'denied claims'],
      ['deductible', 'high deductible', 'what is a deductible'],
    ],
  },
  {
    topic: 'photography',
    groups: [
      ['camera lens', 'wide angle lens', 'lenses for portraits', 'lens cleaning kit'],
      ['tripod', 'travel tripod', 'carbon fiber tripods'],
      ['photo editing', 'photo editing software', 'free photo editor', 'edit photos online'],
      ['shutter speed', 'slow shutter speed', 'shutter speed chart'],
      ['wedding photographer', 'wedding photography prices', 'wedding photography tips'],
      ['memory card', 'sd cards', 'recover a memory card'],
      ['drone', 'drone license', 'best drones', 'drone photography'],
      ['black and white', 'black and white film', 'monochrome portraits'],
    ],
  },
  {
    topic: 'cocina',
    groups: [
      ['receta de paella', 'paella valenciana', 'paella de mariscos', 'arroz para paella'],
      ['tortilla de patatas', 'tortilla española', 'cómo hacer tortilla'],
      ['pan casero', 'hornear pan', 'panes sin gluten', 'harina para pan'],
      ['gazpacho', 'gazpacho andaluz', 'receta de gazpacho'],
      ['postres fáciles', 'postres sin horno', 'postre de chocolate'],
      ['aceite de oliva', 'aceite de oliva virgen extra', 'mejores aceites'],
    ],
  },
];
