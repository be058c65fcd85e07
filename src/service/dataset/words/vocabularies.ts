import { phrases } from '../../../names/words.ts'

/** Names and descriptions for one kind of thing. */
export interface Vocabulary {
  /** Matches its nouns, singular and in snake case. */
  readonly of: RegExp
  readonly titles: readonly string[]
  readonly descriptions: readonly string[]
  readonly slots: Readonly<Record<string, readonly string[]>>
}

/** For nouns without a vocabulary. */
export const GENERAL_DESCRIPTIONS: readonly string[] = phrases(`
  Set up {qualifier}. | Kept {qualifier}; reviewed every quarter. | Moved over from the old system. |
  Agreed with the finance team in spring. | Created during onboarding. | Used by the support team every day. |
  Checked by two people before the launch. | Reviewed every quarter, last in March.`)

const WORK = {
  fix: ['Fix', 'Investigate', 'Look into'],
  flaw: phrases(`
    broken redirect | slow loading | wrong totals | missing translations | duplicate emails | flaky test |
    memory leak`),
  part: phrases(`
    the checkout page | the login form | the billing export | the mobile menu | the search results |
    the weekly report | the invoice PDF | the sign-up flow`),
  make: ['Write', 'Draft', 'Review', 'Update', 'Prepare', 'Publish'],
  piece: phrases(`
    release notes | the pricing page | the onboarding guide | the quarterly report | the hiring plan |
    interview questions | the launch checklist | the privacy policy`),
  add: ['Add', 'Build', 'Design', 'Plan'],
  feature: phrases(`
    CSV export | single sign-on | dark mode | bulk editing | email reminders | audit logging | saved filters |
    two-factor login`),
  place: ['to the dashboard', 'for team admins', 'to the public API', 'for the mobile app', 'to the settings page'],
  person: ['the design team', 'finance', 'the legal team', 'support', 'the vendor', 'the data team'],
}

/** Vocabularies by kind of thing, the specific kinds first. */
export const VOCABULARIES: readonly Vocabulary[] = [
  {
    of: /^(?:pet|animal)_(?:category|type|kind)$/,
    titles: ['{kind}'],
    descriptions: ['Everything for {kind}.'],
    slots: { kind: ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Fish', 'Reptiles'] },
  },
  {
    of: /^(?:pet|animal)_(?:tag|label)$/,
    titles: ['{trait}'],
    descriptions: ['Pets that are {trait}.'],
    slots: { trait: ['friendly', 'house-trained', 'playful', 'calm', 'good with children', 'young', 'vaccinated'] },
  },
  {
    of: /^(?:product|item|catalog_item|variant|sku)_(?:category|type|kind|tag|label)$/,
    titles: ['{group}'],
    descriptions: ['Our choice of {group}.'],
    slots: { group: ['Kitchen', 'Office', 'Outdoor', 'Lighting', 'Bags', 'Textiles', 'Storage', 'Gifts'] },
  },
  {
    of: /(?:^|_)(?:commit|change|patch|diff|revision)$/,
    titles: ['{verb} {what}'],
    descriptions: ['{verb} {what}', '{verb} {what} after review'],
    slots: {
      verb: ['Fix', 'Simplify', 'Document', 'Speed up', 'Test'],
      what: phrases(`
        rounding in invoice totals | the retry loop | date parsing | the search index | file uploads |
        session handling`),
    },
  },
  {
    of: /(?:^|_)(?:comment|note|reply|review|feedback|remark|annotation|answer|testimonial)$/,
    titles: ['{opinion}', 'About {part}', 'Question on {part}'],
    descriptions: ['{opinion} {next}', '{opinion}', '{next}'],
    slots: {
      ...WORK,
      opinion: phrases(`
        Looks good to me. | I checked this again and it works now. | This still fails for me on Safari. |
        Great work, thanks for the quick turnaround. | The numbers match the March report. |
        Could we keep the old wording here? | I would split this into two steps. |
        Delivered a day early and exactly as described.`),
      next: phrases(`
        I will follow up on Monday. | Let us ship it after the review. | Can you add a screenshot? |
        Happy to pair on it tomorrow. | I have updated the estimate. | Waiting for an answer from the customer.`),
    },
  },
  {
    of: /message|(?:^|_)chat$|(?:^|_)sms$|(?:^|_)email$|announcement|notification|(?:^|_)mail$|conversation|thread|broadcast/,
    titles: ['{topic}', 'Re: {topic}', '{topic}'],
    descriptions: ['{greeting} {line}', '{line}', '{line} {closing}'],
    slots: {
      topic: phrases(`
        Your order is on its way | Welcome aboard | Invoice for March | Question about my subscription |
        Meeting moved to Thursday | Password changed | Your trial ends soon | Delivery window confirmed |
        Next steps after our call`),
      greeting: ['Hi there,', 'Hello,', 'Good morning,'],
      line: phrases(`
        your parcel left our warehouse this morning. | could you send me the invoice for March? |
        the meeting is moved to Thursday at 10:00. | I cannot sign in since the last update. |
        we have received your payment. | your table is booked for four people. |
        the new version is ready for a first look.`),
      closing: ['Thank you!', 'Let me know if anything is unclear.', 'See you then.'],
    },
  },
  {
    of: /task|todo|to_do|issue|ticket|story|bug|work_item|pull_request|merge_request|checklist|action_item|reminder|subtask|case$|request$/,
    titles: ['{fix} {flaw} on {part}', '{make} {piece}', '{add} {feature} {place}', 'Ask {person} about {piece}'],
    descriptions: [
      '{fix} {flaw} on {part}. Reported by {person}.',
      '{add} {feature} {place}; agreed with {person}.',
      '{make} {piece} and share it with {person}.',
    ],
    slots: WORK,
  },
  {
    of: /incident|alert|outage|maintenance|monitor|downtime|alarm/,
    titles: ['{symptom} in {region}', '{symptom} on {service}', '{service}: {symptom}'],
    descriptions: ['{symptom} on {service}. {step}', '{step}'],
    slots: {
      symptom: phrases(`
        Elevated error rates | High latency | Delayed deliveries | Failed logins | Disk almost full |
        Certificate about to expire`),
      region: ['eu-central', 'us-east', 'ap-southeast'],
      service: ['the public API', 'webhooks', 'the dashboard', 'the payment gateway', 'search', 'file uploads'],
      step: phrases(`
        A fix has been rolled out and we are watching the results. | We found the cause and are working on a fix. |
        Traffic was moved to a healthy zone. | The on-call engineer was paged.`),
    },
  },
  {
    of: /repo$|repositor|codebase|package$|library$|gem$|image_stream/,
    titles: ['{thing}', '{thing}-{kind}', '{kind}-{place}'],
    descriptions: [
      'The {kind} behind the {thing}.',
      '{kind} for the {thing}, deployed from main.',
      'Shared {kind} of the {thing} team.',
    ],
    slots: {
      thing: ['storefront', 'billing', 'checkout', 'warehouse', 'design-system', 'mobile-app', 'data-pipeline', 'docs'],
      kind: ['service', 'api', 'client', 'worker', 'tools', 'templates'],
      place: ['core', 'edge', 'web', 'infra'],
    },
  },
  {
    of: /(?:^|_)(?:application|app|oauth_client|client_app|bot|plugin|extension)$/,
    titles: ['{thing}', '{thing} {kind}'],
    descriptions: [
      '{thing} for everyone in the company.',
      'Connects the {thing} to our data.',
      '{thing}, used by about forty people a day.',
    ],
    slots: {
      thing: phrases(`
        Storefront | Partner portal | Field service | Expense tracker | Support desk | Booking page | Analytics |
        Newsletter`),
      kind: ['app', 'for iOS', 'for Android', '(staging)'],
    },
  },
  {
    of: /project|initiative|epic|milestone|objective|goal|sprint|portfolio|engagement|roadmap/,
    titles: ['{area} {effort}', '{season} {area} {effort}', '{area} {effort}'],
    descriptions: [
      '{effort} of the {area} work, due before {season}.',
      'Brings {area} up to date for all customers.',
      'Led by {team}; covers {area} from plan to launch.',
    ],
    slots: {
      area: phrases(`
        Website | Mobile app | Customer portal | Data platform | Checkout | Billing | Warehouse | Brand | Onboarding |
        Support center`),
      effort: ['redesign', 'migration', 'launch', 'relaunch', 'rollout', 'audit', 'upgrade'],
      season: ['Spring', 'Summer', 'Autumn', 'Winter'],
      team: ['the platform team', 'the growth team', 'operations', 'the design studio'],
    },
  },
  {
    of: /product|(?:^|_)sku|variant|merchandise|catalog_item|line_item|order_item|cart_item|(?:^|_)item$|(?:^|_)goods|inventory/,
    titles: ['{material} {thing}', '{style} {thing}', '{style} {material} {thing}'],
    descriptions: [
      'A {style} {thing} made of {material}, built to last.',
      '{material} {thing} for every day. {care}',
      '{style} {thing}; {care}',
    ],
    slots: {
      material: 'Oak Linen Ceramic Steel Cotton Leather Walnut Wool Canvas Glass Bamboo Cork'.split(' '),
      style: ['Classic', 'Compact', 'Everyday', 'Folding', 'Handmade', 'Modern', 'Slim', 'Large', 'Travel'],
      thing: phrases(`
        desk lamp | backpack | coffee mug | notebook | water bottle | side table | throw blanket | wall clock |
        bread board | tote bag | office chair | picture frame | teapot | rain jacket`),
      care: phrases(`
        Wipe clean with a damp cloth. | Ships in recycled packaging. | Comes with a two-year warranty. |
        Made in small batches.`),
    },
  },
  {
    of: /article|post$|blog|page$|guide|doc$|document|knowledge|changelog|tutorial|story|news|wiki|topic|entry|publication|paper|press|section|chapter/,
    titles: phrases(`
      How to {do} | A guide to {subject} | {count} ways to {do} | What we learned about {subject} |
      Getting started with {subject}`),
    descriptions: [
      'Explains how to {do}, step by step.',
      'An introduction to {subject} for new team members.',
      'What works and what does not when you {do}.',
    ],
    slots: {
      do: phrases(`
        plan a product launch | set up webhooks | invite your team | read a sales report | choose a pricing model |
        run a good retrospective | move your data | cut loading times in half`),
      subject: phrases(`
        remote onboarding | invoicing | accessible design | customer interviews | API keys | inventory planning |
        dashboards | single sign-on`),
      count: ['Three', 'Five', 'Seven'],
    },
  },
  {
    of: /campaign|newsletter|promotion|(?:^|_)ad$|advert|audience|marketing|automation|journey/,
    titles: ['{season} {offer}', '{offer} for {group}', '{season} newsletter'],
    descriptions: ['{offer} for {group}, sent in {season}.', 'Reaches {group} with the {season} {offer}.'],
    slots: {
      season: ['Spring', 'Summer', 'Autumn', 'Winter', 'Back-to-school', 'Year-end'],
      offer: ['sale', 'preview', 'product launch', 'welcome series', 'loyalty offer', 'free shipping week'],
      group: ['new customers', 'returning buyers', 'trial users', 'newsletter readers', 'members in Europe'],
    },
  },
  {
    of: /segment|(?:^|_)list$|mailing|cohort|suppression|asm_group/,
    titles: ['{group}', '{group} in {region}'],
    descriptions: ['{group} in {region}, refreshed every night.', 'Everyone who counts as {group}.'],
    slots: {
      group: phrases(`
        New customers | Returning buyers | Trial users | Newsletter readers | Dormant accounts | High spenders |
        Beta testers`),
      region: ['Europe', 'North America', 'the Nordics', 'Asia-Pacific'],
    },
  },
  {
    of: /event|meeting|webinar|appointment|session$|calendar|conference|booking|reservation|visit|shift|special/,
    titles: ['{kind} {occasion}', '{occasion}', '{occasion}: {theme}'],
    descriptions: [
      '{occasion} about {theme}. Coffee from 9:30.',
      'We meet to talk about {theme}.',
      '{kind} {occasion}; seats are limited.',
    ],
    slots: {
      kind: ['Weekly', 'Monthly', 'Annual', 'Spring', 'Open'],
      occasion: phrases(`
        planning session | product demo | design review | gallery evening | customer breakfast | workshop |
        training day | town hall`),
      theme: phrases(`
        pricing | local history | accessibility | the roadmap | modern ceramics | data quality | night photography`),
    },
  },
  {
    of: /course|lesson|class$|curriculum|quiz|exam|assignment|module|training/,
    titles: ['{level} {field}', '{field} for {who}', 'Introduction to {field}'],
    descriptions: ['Covers {field} for {who} in six short lessons.', '{level} course on {field} with exercises.'],
    slots: {
      level: ['Beginner', 'Intermediate', 'Advanced', 'Practical'],
      field: phrases(`
        statistics | drawing | bookkeeping | web design | public speaking | Spanish | project management |
        data modelling`),
      who: ['beginners', 'managers', 'teachers', 'busy people', 'small teams'],
    },
  },
  {
    of: /job|position|vacancy|opening|role_posting/,
    titles: ['{level} {work}', '{work}'],
    descriptions: [
      'We are looking for a {work} who likes to own a topic from start to finish.',
      'Join us as {work}; remote within Europe is fine.',
    ],
    slots: {
      level: ['Senior', 'Junior', 'Lead'],
      work: phrases(`
        Backend Engineer | Product Designer | Data Analyst | Account Manager | Support Specialist | Technical Writer`),
    },
  },
  {
    of: /deal|opportunit|lead$|proposal|quote$|estimate|contract|agreement|subscription_schedule/,
    titles: ['{company} {offer}', '{company}: {offer}'],
    descriptions: ['{offer} for {company}, first talked about at the trade fair.', '{company} asked for a {offer}.'],
    slots: {
      company: phrases(`
        Harbor Labs | Northwind Logistics | Cedar Foods | Polaris Energy | Willow Health | Copper Analytics |
        Summit Travel`),
      offer: ['annual plan', 'pilot', 'renewal', 'expansion', 'platform rollout', 'support contract'],
    },
  },
  {
    of: /plan$|tier$|package|subscription|membership|pricing|(?:^|_)price$/,
    titles: ['{level}', '{level} {cycle}', '{level} plan'],
    descriptions: ['{level} plan with {perk}.', 'Everything in {level}, and {perk}.'],
    slots: {
      level: ['Starter', 'Team', 'Business', 'Professional', 'Enterprise', 'Basic', 'Growth'],
      cycle: ['monthly', 'yearly'],
      perk: phrases(`
        email support | unlimited projects | single sign-on | up to ten seats | audit logs | priority support`),
    },
  },
  {
    of: /coupon|discount|voucher|gift_card|reward|loyalty|offer$/,
    titles: ['{season} {kind}', '{kind} for {group}'],
    descriptions: ['{kind} for {group}, valid until the end of the month.', '{season} {kind} on the first order.'],
    slots: {
      season: ['Spring', 'Summer', 'Winter', 'Welcome'],
      kind: ['10% off', '20% off', 'free shipping', 'gift card'],
      group: ['new customers', 'members', 'students', 'returning buyers'],
    },
  },
  {
    of: /invoice|receipt|bill$|charge|payment|refund|payout|transaction|transfer|order$|purchase|checkout|expense|credit|debit|ledger|journal|cart$/,
    titles: ['{what}', '{what}, {month}'],
    descriptions: ['{what} for {month}.', '{what}', '{what}, as agreed by phone.'],
    slots: {
      what: phrases(`
        Team plan | Consulting hours | Office supplies | Annual license | Domain renewal | Catering |
        Travel to Hamburg | Event tickets | Hardware rental`),
      month: ['January', 'February', 'March', 'April', 'May', 'June', 'September', 'October', 'November'],
    },
  },
  {
    of: /environment|deploy|release|build|pipeline|workflow|job_run|dag|stage$|branch|tag_version/,
    titles: ['{verb} {target}', '{target} {kind}'],
    descriptions: ['{verb} {target} after every change on main.', 'Runs the {kind} for {target} each night.'],
    slots: {
      verb: ['Deploy', 'Build', 'Test', 'Refresh', 'Sync'],
      target: ['storefront', 'billing service', 'data warehouse', 'mobile API', 'docs site', 'search index'],
      kind: ['nightly build', 'release', 'smoke tests', 'backfill', 'preview'],
    },
  },
  {
    of: /server|instance|host$|node$|cluster|database|droplet|machine|volume$|bucket|container|service$|device|interface|rack|vm$|datacenter|network|vlan|router|destination|resource$/,
    titles: ['{role}-{place}-{number}', '{role}-{number}'],
    descriptions: ['{role} machine in {place}, patched every Tuesday.', 'Serves {role} traffic for {place}.'],
    slots: {
      role: ['web', 'api', 'db', 'cache', 'worker', 'edge', 'search', 'backup'],
      place: ['fra', 'ams', 'lon', 'iad', 'sfo', 'sin'],
      number: ['01', '02', '03', '04', '05', '06', '07', '08'],
    },
  },
  {
    of: /webhook|endpoint|integration|connection|connector|hook$/,
    titles: ['{system} {purpose}', '{purpose} to {system}'],
    descriptions: ['Sends {purpose} to the {system}.', '{purpose} for the {system}, retried for a day.'],
    slots: {
      system: ['CRM', 'warehouse', 'accounting', 'analytics', 'help desk', 'staging'],
      purpose: ['order updates', 'customer sync', 'invoice export', 'event stream', 'status changes'],
    },
  },
  {
    of: /(?:^|_)key$|token|secret|credential|certificate/,
    titles: ['{use} {kind}', '{kind} for {use}'],
    descriptions: ['Used by the {use} pipeline; rotated every 90 days.', '{kind} of the {use} system.'],
    slots: {
      use: ['CI', 'staging', 'mobile app', 'reporting', 'backup', 'website'],
      kind: ['key', 'token', 'read-only key'],
    },
  },
  {
    of: /role$|permission|policy|scope|privilege|access/,
    titles: ['{who}', '{what} {who}'],
    descriptions: ['May {do} within the own team.', 'Can {do}, nothing else.'],
    slots: {
      who: ['administrator', 'editor', 'viewer', 'manager', 'auditor', 'member'],
      what: ['Billing', 'Content', 'Project', 'Support', 'Security'],
      do: ['read reports', 'manage members', 'edit content', 'approve invoices', 'view audit logs'],
    },
  },
  {
    of: /team|group|department|squad|guild|division/,
    titles: ['{field}', '{field} team'],
    descriptions: ['Looks after {field} for all regions.', 'Everyone who works on {field}.'],
    slots: {
      field: phrases(`
        Platform | Growth | Design | Customer Success | Finance | Operations | Security | Data | Mobile | Content`),
    },
  },
  {
    of: /workspace|space$|board|folder|notebook|channel|room$|collection|list_view|dashboard|view$|report|query|drive|directory|category|categor|taxon|shelf|label|tag$|metric|flag|experiment|feature/,
    titles: ['{topic}', '{season} {topic}', '{topic} {form}'],
    descriptions: [
      '{topic} of the current quarter.',
      'Everything about {topic} in one place.',
      'Shared with the whole company: {topic}.',
    ],
    slots: {
      topic: phrases(`
        Billing | Product ideas | Customer feedback | Launch plan | Design assets | Hiring | Sales pipeline |
        Weekly metrics | Support | Content | Inventory | Accessibility`),
      season: ['Spring', 'Summer', 'Autumn', 'Winter'],
      form: ['overview', 'archive', 'review'],
    },
  },
  {
    of: /file|attachment|image|photo|picture|video|media$|asset|upload|thumbnail|export|import|artifact/,
    titles: ['{stem}.{ext}', '{stem}.{ext}'],
    descriptions: ['{stem} as sent to the customer.', 'Final version of {stem}.'],
    slots: {
      stem: `quarterly-report brand-guidelines floor-plan price-list team-photo contract-draft roadmap meeting-notes
        product-shot`.split(/\s+/),
      ext: ['pdf', 'png', 'csv', 'jpg'],
    },
  },
  {
    of: /template|form$|survey|questionnaire|snippet|layout|theme|design/,
    titles: ['{purpose}', '{purpose} {form}'],
    descriptions: ['{purpose} in the current brand style.', 'Starts every {purpose} from the same {form}.'],
    slots: {
      purpose: phrases(`
        Welcome email | Order confirmation | Password reset | Monthly report | Feedback request | Shipping notice |
        Event invitation`),
      form: ['template', 'draft', 'layout'],
    },
  },
  {
    of: /pet$|dog|cat$|animal|horse|breed/,
    titles: ['{pet}'],
    descriptions: [
      '{pet} is friendly and likes long walks.',
      'A calm companion, used to children.',
      '{pet} came to us from a family in the countryside.',
    ],
    slots: {
      pet: `Biscuit Luna Milo Pepper Hazel Otis Juniper Nala Simba Poppy Ziggy Maple Bruno Cleo Rosie Toby Willow Archie
        Mochi Olive`.split(/\s+/),
    },
  },
  {
    of: /book|novel/,
    titles: ['The {adjective} {noun}', '{noun} and {noun}', 'A {noun} in {season}'],
    descriptions: [
      'A {adjective} tale of a {noun} and the people around it.',
      'A novel set in {season}, when a {noun} changes everything.',
    ],
    slots: {
      adjective: ['Quiet', 'Last', 'Hidden', 'Glass', 'Northern', 'Patient', 'Hollow'],
      noun: ['Harbor', 'Garden', 'Lighthouse', 'Orchard', 'River', 'Archive', 'Letter', 'Bridge', 'Clockmaker'],
      season: ['Winter', 'Spring', 'Autumn', 'June'],
    },
  },
  {
    of: /movie|film|show$|episode|series|season|song|track|album|playlist|podcast/,
    titles: ['{adjective} {noun}', 'The {noun}', '{noun} at {time}'],
    descriptions: ['A {adjective} story about a {noun}.', 'Recorded in one night, with a {noun} at its heart.'],
    slots: {
      adjective: ['Silent', 'Golden', 'Distant', 'Electric', 'Broken', 'Paper', 'Endless'],
      noun: ['Horizon', 'Station', 'Season', 'Signal', 'Island', 'Summer', 'Mirror', 'Parade', 'Avenue'],
      time: ['Dawn', 'Midnight', 'Noon', 'Dusk'],
    },
  },
  {
    of: /recipe|dish|meal|menu|drink|coffee|food|pizza|beverage|ingredient|dessert/,
    titles: ['{way} {dish}', '{dish} with {side}', '{dish}'],
    descriptions: ['{way} {dish}, served with {side}.', '{dish} made to order, with {side}.'],
    slots: {
      way: ['Roasted', 'Grilled', 'Iced', 'Slow-cooked', 'Homemade', 'Spicy'],
      dish: phrases(`
        tomato soup | flat white | lemon tart | mushroom risotto | lentil curry | cappuccino | apple cake |
        chicken salad | espresso`),
      side: ['oat milk', 'fresh basil', 'sourdough', 'vanilla cream', 'sea salt', 'roasted almonds'],
    },
  },
  {
    of: /planet|moon|star(?:$|ship)|spacecraft|galaxy|astronom|mission|quadrant/,
    titles: ['{name} {number}', '{name}'],
    descriptions: [
      '{name} was first charted by the long-range survey.',
      'Seen from the outer colonies on clear nights.',
    ],
    slots: {
      name: ['Velar', 'Ostara', 'Kepri', 'Thessia', 'Aurelis', 'Norvane', 'Cygnara', 'Halcyon', 'Meridia', 'Talos'],
      number: ['II', 'III', 'IV', 'Prime', 'Major'],
    },
  },
  {
    of: /warehouse|store$|site$|location|branch_office|office|shop$|venue|restaurant|hotel|museum|depot|stock_location|property|facility|building|region|zone|area/,
    titles: ['{place} {kind}', '{kind} {side}'],
    descriptions: ['{kind} near the station in {place}, open on Saturdays.', 'Serves the whole of {place}.'],
    slots: {
      place: ['Harbor', 'Market Square', 'Old Town', 'Riverside', 'Airport', 'Northgate', 'Garden District'],
      kind: ['store', 'warehouse', 'office', 'depot', 'showroom'],
      side: ['north', 'south', 'east', 'west'],
    },
  },
  {
    of: /vehicle|car$|truck|bike|scooter|ride|trip|route|flight|shipment|parcel|delivery|tracker/,
    titles: ['{from} to {to}', '{from} - {to}'],
    descriptions: [
      'From {from} to {to}, handed over at the front desk.',
      'Leaves {from} in the morning and reaches {to} the same day.',
    ],
    slots: {
      from: ['Hamburg', 'Rotterdam', 'Lyon', 'Leeds', 'Porto'],
      to: ['Berlin', 'Antwerp', 'Milan', 'Glasgow', 'Madrid'],
    },
  },
  {
    of: /rule|filter|trigger|condition|schedule|setting|preference|config|variable|attribute|field|option|property/,
    titles: ['{topic}', '{topic} {kind}'],
    descriptions: ['Controls {topic} for everyone in the team.', '{topic}, checked once an hour.'],
    slots: {
      topic: phrases(`
        Delivery window | Priority | Region | Cost center | Preferred language | Renewal date | Account tier |
        Lead source | Budget limit | Time zone`),
      kind: ['default', 'override', 'check'],
    },
  },
]
