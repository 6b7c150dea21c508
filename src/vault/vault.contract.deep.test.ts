import { describeEach } from '../testing/describe-unless.ts'
import { embeddedVaults, mongodbVaults } from './testing/vaults.ts'
import { sharedVaultContract, vaultContract, vaultFilesContract } from './vault.contract.test.ts'

const onFiles = embeddedVaults.filter(({ keepsFiles }) => keepsFiles)
describeEach(mongodbVaults, 'vault contract', vaultContract)
describeEach([...onFiles, ...mongodbVaults], 'vault contract, several processes', sharedVaultContract)
describeEach(onFiles, 'vault contract, files', vaultFilesContract)
