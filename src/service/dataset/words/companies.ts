/** First words of company names. */
export const COMPANY_STEMS: readonly string[] =
  `Acorn Alder Alpine Amber Anchor Apex Arbor Aspen Atlas Aurora Beacon Birch Bluefin Bramble Brightside Brook Canopy Cascade Cedar
Cinder Clearwater Clover Cobalt Compass Copper Coral Crescent Delta Drift Driftwood Ember Everline Fern Fieldstone Fjord Foundry
Foxglove Granite Greenfield Gull Harbor Hazel Heron Highland Hollow Horizon Indigo Ironwood Juniper Keel Kestrel Lantern Larch
Lighthouse Linden Lumen Magnolia Maple Marlin Meadow Meridian Mesa Milestone Nimbus North Northwind Oakridge Obsidian Opal Orchard
Osprey Otter Palisade Parallel Pebble Pinecone Pioneer Polaris Prairie Quarry Quill Rivet Rowan Saffron Sage Seabright Sequoia Silver
Slate Spruce Starling Summit Sundial Tamarack Tern Thistle Tidewater Timber Trellis Tundra Vantage Verdant Violet Wayfinder Westbound
Wildflower Willow Windmill Wren Yarrow Zephyr`.split(/\s+/)

/** Second words of company names. */
export const COMPANY_KINDS: readonly string[] =
  `Labs Studio Works Logistics Foods Analytics Systems Partners Supply Health Energy Robotics Media Bank Books Outdoors Coffee
Design Dental Freight Interiors Insurance Software Textiles Travel Ventures`.split(/\s+/)

export const COMPANY_FORMS: readonly string[] = ['Inc.', 'Ltd', 'GmbH', 'LLC', 'AB', 'B.V.', 'S.A.']

export const INDUSTRIES: readonly string[] = [
  'Retail',
  'Software',
  'Healthcare',
  'Logistics',
  'Financial services',
  'Education',
  'Manufacturing',
  'Hospitality',
  'Energy',
  'Media',
  'Food and beverage',
  'Construction',
]

export const BANKS: readonly string[] = [
  'Harbor Bank',
  'First Meridian Bank',
  'Northwind Savings',
  'Cedar Credit Union',
  'Polaris Bank',
]
